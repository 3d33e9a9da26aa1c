import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { beforeAll, expect, it } from 'vitest'

import { endpoints } from '../../src/contract/endpoints.ts'
import { createApp } from '../../src/server/app.ts'
import { servedBy } from '../../src/server/db/environments/environments.ts'
import { openMetrics } from '../../src/server/metrics/metrics.ts'
import { openLogger } from '../../src/server/process/logger.ts'
import { clientOf, describeServer } from '../support/test-server.ts'

const token = 'jeton-de-mesure-0001'
const file = readFileSync('docs/install/alerts.yaml', 'utf8')

/** A value of one line, or of several after `>-`. */
const valueOf = (rule: string, key: string) =>
  new RegExp(`^ +${key}: (?:>-\\n((?: {10,}.+\\n)+)|(.+)$)`, 'm')
    .exec(rule)
    ?.slice(1)
    .find((found) => found !== undefined)
    ?.trim()
    .replaceAll(/\s*\n\s*/g, ' ') ?? ''

const rules = file
  .split(/^ +- alert: /m)
  .slice(1)
  .map((rule) => ({
    name: /^\w+/.exec(rule)?.[0] ?? '',
    expr: valueOf(rule, 'expr'),
    summary: valueOf(rule, 'summary'),
    description: valueOf(rule, 'description'),
  }))

/** Every series that an expression reads, with what it asks of its labels. */
const selectors = rules.flatMap(({ name: rule, expr }) =>
  Array.from(
    expr.matchAll(/\b((?:comptoir|process|nodejs)_\w+)(?:\{([^}]*)\})?/g),
    ([, series = '', asked = '']) => ({
      rule,
      series,
      labels: Array.from(asked.matchAll(/(\w+)=(~?)"([^"]*)"/g), ([, label = '', isPattern, value = '']) => ({
        label,
        values: isPattern ? value.split('|') : [value],
      })),
    }),
  ),
)

const callNames = new Set<string>(endpoints.map(({ name }) => name))

describeServer('the alerts of docs/install', (server) => {
  let lines: string[]
  beforeAll(async () => {
    const app = createApp({
      environments: [server.environment],
      logger: openLogger('silent'),
      now: () => server.now,
      metrics: { metrics: openMetrics(servedBy([server.environment])), token },
    })
    const client = clientOf(app, (await server.as('admin')).token)
    const key = randomUUID()
    for (let time = 0; time < 2; time += 1)
      await client.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key })
    expect(
      (await client.post('/api/loanings', { beneficiary: 2, copy: 1 }, { key: randomUUID() })).status,
    ).toBe(409)
    const { status, body } = await client.get('/metrics', { headers: { authorization: `Bearer ${token}` } })
    expect(status).toBe(200)
    lines = String(body).split('\n')
  })

  it('read the series that /metrics gives, by the labels that they have', () => {
    expect(selectors.length).toBeGreaterThan(rules.length)
    const wrong = selectors.flatMap(({ rule, series, labels }) => {
      const given = lines.filter((line) => line.startsWith(`${series}{`) || line.startsWith(`${series} `))
      if (given.length === 0) return [`${rule}: /metrics gives no ${series}`]
      return labels
        .filter(({ label, values }) => !values.every((value) => isGiven(given, label, value)))
        .map(({ label, values }) => `${rule}: ${series} is never ${label}="${values.join('|')}"`)
    })
    expect(wrong).toEqual([])
  })

  /** `job` is Prometheus’ own; a call or a failure that nobody met yet is given once it is. */
  function isGiven(given: readonly string[], label: string, value: string): boolean {
    if (label === 'job') return value === 'comptoir'
    if (!given.some((line) => line.includes(`${label}="`))) return false
    if (label === 'status') return /^[1-5]xx$/.test(value)
    if (label === 'endpoint') return callNames.has(value)
    return given.some((line) => line.includes(`${label}="${value}"`))
  }
})

it('the alerts say what is wrong and what to do, in French', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
  const dumb = rules.filter(
    ({ expr, summary, description }) =>
      expr === '' ||
      !summary.endsWith('.') ||
      description.length < 100 ||
      /[a-zà-ÿ]'[a-zà-ÿ]/i.test(summary + description),
  )
  expect(dumb.map(({ name }) => name)).toEqual([])
})
