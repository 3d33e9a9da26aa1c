/** One file for all of them, as those of imports. */
export { default as list } from './reservation-list-screen.tsx'
export { default as add } from './reservation-add-screen.tsx'
export { default as edit } from './reservation-edit-screen.tsx'
export { default as picking } from './picking-screen.tsx'
export { default as setAside } from './set-aside-screen.tsx'
