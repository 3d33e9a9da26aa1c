const deepest = 32

/** Whether a JSON text is nested too deep, because parsing a megabyte of brackets stops the process. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (isInText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isInText = false
    } else if (sign === '"') isInText = true
    else if (sign === '[' || sign === '{') {
      depth += 1
      if (depth > deepest) return true
    } else if (sign === ']' || sign === '}') depth -= 1
  }
  return false
}
