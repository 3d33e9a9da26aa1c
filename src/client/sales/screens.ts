export { default as list } from './sale-list-screen.tsx'
export { default as view } from './sale-view-screen.tsx'
