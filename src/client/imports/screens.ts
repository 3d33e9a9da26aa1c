/** One file for all of them: the address book of screens, which comes first, stays small. */
export { default as list } from './import-list-screen.tsx'
export { default as add } from './import-add-screen.tsx'
export { default as view } from './import-view-screen.tsx'
