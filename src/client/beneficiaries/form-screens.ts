/** One file for both forms, which share nearly all. */
export { default as add } from './reader-add-screen.tsx'
export { default as edit } from './reader-edit-screen.tsx'
