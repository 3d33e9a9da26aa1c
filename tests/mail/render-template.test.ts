import { describe, expect, it } from 'vitest'

import { textOfHtml } from '../../src/server/mail/transport.ts'
import { mailRenderer } from '../../src/server/writing/render-template.ts'

const parts = { object: 'Bonjour {{ name }}', body: 'Bonjour {{ name }}', details: '', signing: '' }
const render = (changed: Partial<typeof parts>, variables: Record<string, unknown> = {}) => {
  const rendering = mailRenderer({ ...parts, ...changed })(variables)
  if (!rendering.ok) throw new Error(rendering.problem)
  return rendering.mail
}
const problemOf = (body: string, variables: Record<string, unknown> = {}) => {
  const rendering = mailRenderer({ ...parts, body })(variables)
  return rendering.ok ? null : rendering.problem
}

describe('a mail template', () => {
  it('leaves an injected name as text, in the page and in the subject', () => {
    const mail = render({}, { name: '<img src=x onerror=alert(1)>' })
    expect(mail.html).toContain('Bonjour &lt;img src=x onerror=alert(1)&gt;')
    expect(mail.html).not.toContain('<img')
    expect(mail.subject).toBe('Bonjour <img src=x onerror=alert(1)>')
  })

  it('keeps scripts out even when the template lets a variable in as it is', () => {
    const name =
      '<img src=x onerror=alert(1)><script>alert(2)</script><a href="javascript:alert(3)" onclick="x()">ici</a>'
    const { html } = render({ body: '<p style="x" class="y">{{ name | raw }}</p>' }, { name })
    expect(html).toMatch(/<div[^>]*><p><a>ici<\/a><\/p><\/div>/)
  })

  it('writes a subject on one line, without entities', () => {
    expect(render({}, { name: 'a\r\nBcc: tous@exemple.fr\u2028& b' }).subject).toBe(
      'Bonjour a Bcc: tous@exemple.fr & b',
    )
    expect(render({ object: '{{ name }}' }, { name: 'é'.repeat(900) }).subject).toHaveLength(200)
  })

  it('puts body, details and signing one after the other, and leaves out what is empty', () => {
    const { html } = render({ body: 'un', details: ' ', signing: 'trois' })
    expect(html).toMatch(/<body [^>]*><div [^>]*>un<\/div>\n<div [^>]*>trois<\/div><\/body>/)
  })

  it.each([
    ['{{ name', /^corps, .*not closed/],
    ['{% for %}', /^corps, /],
    ['{{ name | nothing }}', /undefined filter/],
    ['{% assign a = (1..1500) | find_exp: "x", "a contains x" %}', /undefined filter/],
    ["{% include '/etc/passwd' %}", /Failed to lookup/],
    ["{% render 'package.json' %}", /Failed to lookup/],
    ['{% for i in (1..100000000) %}{% endfor %}', /memory/],
    [
      '{% for i in (1..9999) %}{% for j in (1..99) %}{% for k in (1..99) %}x{% endfor %}{% endfor %}{% endfor %}',
      /limit/,
    ],
    ['{% for i in (1..9000) %}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{% endfor %}', /trop long/],
  ])('tells what is wrong with « %s »', (body, problem) => {
    expect(problemOf(body, { name: 'x' })).toMatch(problem)
  })

  it('keeps out a sign that no database takes', () => {
    expect(render({ body: '{{ "a%00b" | url_decode }}' }).html).toContain('>ab<')
  })

  it('reaches no prototype', () => {
    expect(
      render({ body: '[{{ name.constructor.name }}{{ name.__proto__ }}]' }, { name: {} }).html,
    ).toContain('[]')
  })

  it('leaves days as they were written', () => {
    expect(render({ body: '{{ day | date: "%Y" }}' }, { day: '03/02/2026' }).html).toContain('03/02/2026')
  })

  it('has a plain text beside it', () => {
    const { html } = render(
      {
        body: '<p>Bonjour {{ name }},<br>voici :</p><ul><li>un</li><li>deux</li></ul><a href="https://a.fr/?b=1&c=2">le lien</a>',
      },
      { name: 'Éric & <Zoé>' },
    )
    expect(textOfHtml(html)).toBe(
      'Bonjour Éric & <Zoé>,\nvoici :\n\n- un\n- deux\nle lien (https://a.fr/?b=1&c=2)',
    )
  })
})
