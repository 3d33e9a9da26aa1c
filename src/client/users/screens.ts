/** One file for both, as those of imports. */
export { default as users } from './users-screen.tsx'
export { default as permissions } from './permissions-screen.tsx'
