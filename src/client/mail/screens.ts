/** One file for all of them: the address book of screens, which comes first, stays small. */
export { default as letters } from './letter-list-screen.tsx'
export { default as mails } from './mail-list-screen.tsx'
export { default as template } from './template-edit-screen.tsx'
export { default as templates } from './template-list-screen.tsx'
