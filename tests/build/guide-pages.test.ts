import { describe, expect, it } from 'vitest'

import { chapterOf, chaptersOf } from '../../src/build/guide-pages.ts'

const size = () => ({ width: 390, height: 844 })
const htmlOf = (markdown: string) => chapterOf('lending.md', markdown, size).html

describe('the guide', () => {
  it('takes the chapters in the order of their table', () => {
    expect(chaptersOf('| [Prêter](lending.md) | … |\n| [Lecteurs](readers.md) | … |')).toEqual([
      'lending.md',
      'readers.md',
    ])
  })

  it('makes titles, steps and paragraphs, and leaves out what is for the tests', () => {
    const chapter = chapterOf(
      'lending.md',
      '# Prêter\n\n<!-- /home | @card -->\n\n1. Un.\n2. Deux.\n\nEt\nplus.',
      size,
    )
    expect(chapter.title).toBe('Prêter')
    expect(chapter.html).toBe('<h1>Prêter</h1>\n<ol>\n<li>Un.</li>\n<li>Deux.</li>\n</ol>\n<p>Et plus.</p>')
  })

  it('gives a picture its place before it comes', () => {
    expect(htmlOf('![L’accueil](pictures/home.png)')).toBe(
      '<img src="pictures/home.png" alt="L’accueil" width="390" height="844" loading="lazy">',
    )
  })

  it('makes a table with its headings, and links between chapters', () => {
    expect(htmlOf('| page | pour |\n| --- | --- |\n| [Prêter](lending.md) | le **jour** |')).toBe(
      '<table>\n<tr><th>page</th><th>pour</th></tr>\n<tr><td><a href="lending.html">Prêter</a></td><td>le <strong>jour</strong></td></tr>\n</table>',
    )
  })

  it('writes French spaces, and text as text', () => {
    expect(htmlOf('Pressez « A & B » : <fini> ?')).toBe(
      '<p>Pressez «\u00a0A &amp; B\u00a0»\u202f: &lt;fini&gt;\u202f?</p>',
    )
  })
})
