import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Plugin } from 'vite'

type Chapter = { file: string; title: string; html: string }

/** Makes the user's guide into pages that the product serves, with their pictures and one style. */
export const guidePages = (source: string, target: string): Plugin => ({
  name: 'guide-pages',
  apply: 'build',
  enforce: 'post',
  closeBundle: {
    order: 'post',
    sequential: true,
    handler() {
      const pictures = join(source, 'pictures')
      mkdirSync(join(target, 'pictures'), { recursive: true })
      for (const name of readdirSync(pictures))
        copyFileSync(join(pictures, name), join(target, 'pictures', name))
      copyFileSync(join(source, 'guide.css'), join(target, 'guide.css'))
      const chapters = ['README.md', ...chaptersOf(readFileSync(join(source, 'README.md'), 'utf8'))].map(
        (file) =>
          chapterOf(file, readFileSync(join(source, file), 'utf8'), (path) => sizeOf(join(source, path))),
      )
      chapters.forEach((chapter, at) => {
        writeFileSync(
          join(target, addressOf(chapter.file)),
          pageOf(chapter, chapters[at - 1], chapters[at + 1]),
        )
      })
    },
  },
})

/** In the order of the guide's table. */
export const chaptersOf = (table: string): string[] =>
  Array.from(table.matchAll(/\]\(([\w-]+\.md)\)/g), ([, file = '']) => file)

const addressOf = (file: string): string =>
  file === 'README.md' ? 'index.html' : file.replace(/\.md$/, '.html')

type Size = { width: number; height: number }

/** Every PNG begins with its header. */
function sizeOf(picture: string): Size {
  const bytes = readFileSync(picture)
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Reads the part of Markdown that the guide is written in: titles, steps, a table, pictures, paragraphs. */
export function chapterOf(file: string, markdown: string, sizeOfPicture: (path: string) => Size): Chapter {
  const blocks = markdown
    .replaceAll(/<!--.*?-->/g, '')
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
  const html = blocks.map((block) => htmlOf(block, sizeOfPicture)).join('\n')
  return { file, title: /^# (.+)$/m.exec(markdown)?.[1] ?? '', html }
}

function htmlOf(block: string, sizeOfPicture: (path: string) => Size): string {
  const lines = block.split('\n')
  const [first = ''] = lines
  const title = /^(#{1,2}) (.+)$/.exec(first)
  if (title) return `<h${title[1]?.length}>${inline(title[2] ?? '')}</h${title[1]?.length}>`
  const picture = /^!\[([^\]]*)\]\(([^)]+)\)$/.exec(first)
  if (picture) {
    const { width, height } = sizeOfPicture(picture[2] ?? '')
    return `<img src="${picture[2]}" alt="${inline(picture[1] ?? '')}" width="${width}" height="${height}" loading="lazy">`
  }
  if (/^\d+\. /.test(first)) {
    return `<ol>\n${lines.map((line) => `<li>${inline(line.replace(/^\d+\. /, ''))}</li>`).join('\n')}\n</ol>`
  }
  if (first.startsWith('|')) {
    // A table's second line only rules it.
    const rows = lines.filter((_line, at) => at !== 1).map((line) => line.split('|').slice(1, -1))
    return `<table>\n${rows.map((row, at) => rowOf(row, at === 0 ? 'th' : 'td')).join('\n')}\n</table>`
  }
  return `<p>${inline(lines.join(' '))}</p>`
}

const rowOf = (cells: readonly string[], tag: 'th' | 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')}</tr>`

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const inline = (text: string): string =>
  text
    .replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign)
    .replaceAll(/« /g, '«\u00a0')
    .replaceAll(/ »/g, '\u00a0»')
    .replaceAll(/ (?=[:;?!])/g, '\u202f')
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\(([\w-]+\.md)\)/g, (_link, words: string, file: string) => linkTo(file, words))

const linkTo = (file: string, words: string, rel = ''): string =>
  `<a href="${addressOf(file)}"${rel === '' ? '' : ` rel="${rel}"`}>${words}</a>`

const pageOf = ({ title, html }: Chapter, before: Chapter | undefined, after: Chapter | undefined): string =>
  `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inline(title)} · Comptoir</title>
<link rel="icon" href="/icons/icon.svg">
<link rel="stylesheet" href="guide.css">
</head>
<body>
<header><nav aria-label="Le guide">${linkTo('README.md', 'Le guide')} <a href="/">Ouvrir Comptoir</a></nav></header>
<main>
${html}
</main>
<footer><nav aria-label="Pages voisines">
${before ? linkTo(before.file, `← ${inline(before.title)}`, 'prev') : ''}
${after ? linkTo(after.file, `${inline(after.title)} →`, 'next') : ''}
</nav></footer>
</body>
</html>
`
