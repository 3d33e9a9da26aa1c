import { expect, it } from 'vitest'

import { startSteps, startTasks, tasksOfStep } from '../../src/domain/start-steps.ts'

it('tasksOfStep has each task of the guided start once, in its order', () => {
  const afterwards = ['reference', 'reader', 'loan', 'forgetting']
  expect([...startSteps.flatMap((step) => tasksOfStep[step]), ...afterwards]).toEqual(startTasks)
  expect(startSteps.every((step) => tasksOfStep[step].length > 0)).toBe(true)
})
