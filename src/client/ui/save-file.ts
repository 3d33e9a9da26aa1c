import type { Download } from '../../contract/files.ts'

/** Hands a file to the browser, which keeps it where it keeps what it downloads. */
export function saveFile({ name, content }: Download): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The click has taken the address by then (file 1, section 9, gives previews as long).
  setTimeout(() => URL.revokeObjectURL(url), 100)
}
