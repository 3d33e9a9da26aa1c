import { describe, expect, it } from 'vitest'

import type { Environment } from '../../src/server/db/environments/environment.ts'
import { learnPace, paceFor, rowsAStep } from '../../src/server/jobs/pace.ts'

const environmentOn = (engine: object | null) => ({ engine }) as Environment
const rowsOf = (environment: Environment) => rowsAStep({ environment })

describe('the pace of a job', () => {
  it('follows what rows cost on the embedded engine, at most twice as many from one step to the next', () => {
    const environment = environmentOn({})
    paceFor(environment, 'imports.run')
    expect(rowsOf(environment)).toBe(40)
    learnPace(environment, 40, 4)
    expect(rowsOf(environment)).toBe(80)
    learnPace(environment, 80, 80)
    expect(rowsOf(environment)).toBe(40)
    learnPace(environment, 40, 1000)
    expect(rowsOf(environment)).toBe(20)
    for (let step = 0; step < 9; step += 1) learnPace(environment, rowsOf(environment), 1)
    expect(rowsOf(environment)).toBe(200)
  })

  it('learns nothing from a step that had fewer rows than it may', () => {
    const environment = environmentOn({})
    paceFor(environment, 'imports.run')
    learnPace(environment, 3, 90)
    expect(rowsOf(environment)).toBe(40)
  })

  it('begins carefully with another kind of job, and goes on where the kind is the same', () => {
    const environment = environmentOn({})
    paceFor(environment, 'imports.run')
    learnPace(environment, 40, 1)
    paceFor(environment, 'imports.run')
    expect(rowsOf(environment)).toBe(80)
    paceFor(environment, 'acts.undo')
    expect(rowsOf(environment)).toBe(40)
  })

  it('is two hundred where the engine does many things at once, whatever they take', () => {
    const environment = environmentOn(null)
    paceFor(environment, 'imports.run')
    learnPace(environment, 200, 5000)
    expect(rowsOf(environment)).toBe(200)
  })
})
