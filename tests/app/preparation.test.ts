// @vitest-environment happy-dom
import { renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'

import { startCounterWork, usePreparation } from '../../src/client/outbox/counter-work.ts'
import { freshDevice } from '../offline/device.ts'

freshDevice()

it('A page says nothing of what its device has for the work off line before the device has said it', async () => {
  const { result } = renderHook(usePreparation)
  expect(result.current).toBeUndefined()
  const stop = startCounterWork(1, true)
  await waitFor(() => expect(result.current).toEqual({ rows: 0, total: 0 }))
  stop()
})
