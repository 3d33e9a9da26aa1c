/** One file for all of them: a phone among the shelves has every screen or none. */
export { default as list } from './inventory-list-screen.tsx'
export { default as add } from './inventory-add-screen.tsx'
export { default as view } from './inventory-view-screen.tsx'
export { default as count } from './count-screen.tsx'
export { default as review } from './review-screen.tsx'
