/** One file for both, as those of acts. */
export { default as overview } from './personal-data-screen.tsx'
export { default as inactive } from './inactive-list-screen.tsx'
