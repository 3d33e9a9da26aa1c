/** Bar codes in few words: those that follow each other are said by their first and last. */
export function runsOf(codes: readonly string[]): string[] {
  const runs: string[][] = []
  for (const code of codes) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    if (run && before !== undefined && isNext(before, code)) run.push(code)
    else runs.push([code])
  }
  return runs.flatMap((run) => (run.length > 2 ? [`${run[0]} à ${run.at(-1)}`] : run))
}

/** Whether only the number differs, by one; zeros before it count as written. */
function isNext(before: string, code: string): boolean {
  const [, start = '', digits = '', end = ''] = /^(.*?)(\d+)(\D*)$/.exec(before) ?? []
  if (digits === '') return false
  return code === start + String(BigInt(digits) + 1n).padStart(digits.length, '0') + end
}
