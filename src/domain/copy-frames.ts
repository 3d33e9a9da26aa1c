/**
 * Whose use of the fields of copies (995) a file has. `995`: the French recommendation, $m and $n the days of a loan. `koha`: $o is a
 * number (0 is lent), $5 the day it was acquired, $p its price. `pmb`: 996 repeats each copy, with its place and whether it is lent.
 */
export const copyFrames = ['995', 'koha', 'pmb'] as const
export type CopyFrame = (typeof copyFrames)[number]
