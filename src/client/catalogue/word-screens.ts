/** One file for the words of the catalogue, as those of imports. */
export { default as listValues } from './list-value-screen.tsx'
export { default as listTypes } from './list-type-screen.tsx'
export { default as fields } from './reference-field-screen.tsx'
