import { existsSync } from 'node:fs'

/** A file and, where it is a collection, the PostScript name of its face. */
export type FontFile = { path: string; face: string | undefined }

/** Signs of Chinese, Japanese and Korean, as Debian's packages have them; too large to come along. */
const ofSystem: readonly FontFile[] = [
  { path: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', face: 'NotoSansCJKjp-Regular' },
  { path: '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf', face: undefined },
  { path: '/usr/share/fonts/truetype/wqy/wqy-microhei.ttc', face: 'WenQuanYiMicroHei' },
  { path: '/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf', face: undefined },
]

/** What `PDF_FONT` names (`file.ttf`, `file.ttc#Face`), or the system has; null for none. */
export function ownFont(): FontFile | null {
  const [path, face] = process.env['PDF_FONT']?.trim().split('#') ?? []
  if (path) return { path, face }
  return ofSystem.find((font) => existsSync(font.path)) ?? null
}
