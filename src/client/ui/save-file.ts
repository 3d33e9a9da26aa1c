import type { Download } from '../../contract/files.ts'

export function saveFile({ name, content }: Download): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The click has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 100)
}
