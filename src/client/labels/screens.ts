/** One file for all of them, as those of imports. */
export { default as list } from './label-list-screen.tsx'
export { default as print } from './print-labels-screen.tsx'
