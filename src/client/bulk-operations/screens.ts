/** One file for both, as those of imports. */
export { default as list } from './act-list-screen.tsx'
export { default as view } from './act-view-screen.tsx'
