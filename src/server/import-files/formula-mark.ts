/** What a spreadsheet would run, as `escape_formulas` of csv-stringify has it, behind apostrophes or none. */
const formula = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
const markedFormula = /^'+[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/** For a CSV that is opened in a spreadsheet; what has an apostrophe of its own gets another, so that each comes back. */
export const withMark = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell)

/** What `withMark` was given. */
export const withoutMark = (cell: string): string => (markedFormula.test(cell) ? cell.slice(1) : cell)
