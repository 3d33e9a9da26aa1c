import { describe, expect, it } from 'vitest'

import { drawTemplate, isChip, piecesOf, readTemplate } from '../../src/client/mail/template-document.ts'
import { mailCodes, occasionOf } from '../../src/domain/mail-occasions.ts'
import { deliveredMailTemplates } from '../../src/server/mail/delivered-templates.ts'

// @vitest-environment happy-dom

const draw = (content: string, isLine = false) => {
  const root = document.createElement('div')
  drawTemplate(root, content, { about: 'loans', isLine })
  return root
}
const chips = (root: HTMLElement) =>
  [...root.querySelectorAll<HTMLElement>('[data-code]')].map(({ textContent }) => textContent)
const again = (content: string, isLine = false) => readTemplate(draw(content, isLine), { isLine })

describe('a template in its editor', () => {
  it('is text with chips in it, named as people name things', () => {
    const root = draw(
      'Bonjour {{ beneficiary.firstname }} {{ beneficiary.lastname }},<br>voici <b>{{ count }}</b>',
    )
    expect(chips(root)).toEqual(['prénom du lecteur', 'nom du lecteur', 'nombre de prêts'])
    expect(root.textContent).not.toMatch(/[{}]/)
    expect([...root.querySelectorAll('[data-code]')].every((chip) => isChip(chip))).toBe(true)
    expect(root.querySelector('[data-code]')?.getAttribute('contenteditable')).toBe('false')
  })

  it('has a loop and its list as one chip, and a link to a variable too', () => {
    const list =
      '<ul>{% for loan in loans %}<li>{{ loan.reference_name }}{% if loan.medium %} ({{ loan.medium }}){% endif %}</li>{% endfor %}</ul>'
    expect(chips(draw(`Voici :${list}Merci`))).toEqual(['liste des prêts'])
    expect(again(`Voici :${list}Merci`)).toBe(`Voici :${list}Merci`)
    expect(piecesOf('a <a href="{{ link }}">{{ link }}</a> b')).toEqual([
      { text: 'a ' },
      { code: '<a href="{{ link }}">{{ link }}</a>' },
      { text: ' b' },
    ])
    expect(chips(draw('{% if comment %}<p>Motif : {{ comment }}</p>{% endif %}'))).toEqual([
      'si besoin\u202f: Motif :',
    ])
  })

  it('is left as it is by drawing and reading, for every template that is delivered', () => {
    for (const code of mailCodes) {
      for (const { type, content } of deliveredMailTemplates.filter((one) => one.code === code)) {
        const root = document.createElement('div')
        drawTemplate(root, content, { about: occasionOf(code).about, isLine: type === 'object' })
        expect([code, type, readTemplate(root, { isLine: type === 'object' })]).toEqual([code, type, content])
      }
    }
  })

  it('has no braces but those of its chips, whatever is typed', () => {
    const root = draw('Bonjour')
    root.append(' {{ beneficiary.firstname }} {% for %} & <b>')
    const read = readTemplate(root, { isLine: false })
    expect(read).toBe('Bonjour &#123;{ beneficiary.firstname }} &#123;% for %} &amp; &lt;b&gt;')
    expect(piecesOf(read)).toEqual([{ text: read }])
    const line = draw('Objet', true)
    line.append(' {{{ x }}')
    expect(readTemplate(line, { isLine: true })).toBe('Objet { { { x }}')
  })

  it('keeps what a mail may have, and nothing that runs', () => {
    const root = draw(
      '<p onclick="x()">a <script>alert(1)</script><a href="javascript:x" title="t">b</a><a href="https://ici.fr">c</a></p><img src=x onerror=y>',
    )
    expect(root.querySelector('script, img, [onclick], [title]')).toBeNull()
    expect(readTemplate(root, { isLine: false })).toBe('<p>a alert(1)b<a href="https://ici.fr">c</a></p>')
  })

  it('leaves a brace that is open as text', () => {
    expect(piecesOf('a {{ b')).toEqual([{ text: 'a {{ b' }])
    expect(piecesOf('{% for x in y %} z')).toEqual([{ text: '{% for x in y %} z' }])
    expect(piecesOf('{% endfor %}{{ count }}')).toEqual([{ text: '{% endfor %}' }, { code: '{{ count }}' }])
  })

  it('drops the empty lines that only browsers put, and keeps those of people', () => {
    const root = draw('')
    root.innerHTML = '<p>un<br></p><p><br></p><p>deux</p>'
    expect(readTemplate(root, { isLine: false })).toBe('<p>un</p><br><p>deux</p>')
  })
})
