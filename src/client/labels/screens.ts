/** One file for all of them, as those of imports. */
export { default as list } from './label-list-screen.tsx'
export { default as print } from './print-labels-screen.tsx'
export { LabelSheetScreen as sheets } from './label-sheet-screen.tsx'
export { LabelPrinterScreen as printers } from './label-printer-screen.tsx'
