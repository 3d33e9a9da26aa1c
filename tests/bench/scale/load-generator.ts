// A process of run-devices.ts, whose devices scan on their own connections and copies.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import type { DeviceOrder, DevicesDone } from './run-devices.ts'
import { type Call, giveBack, lend, lookUp, type Send } from './product-calls.ts'
import { viaSocket } from './via-socket.ts'

process.once('message', (order: DeviceOrder) => void answer(order))

async function answer(order: DeviceOrder): Promise<void> {
  const done = await scanAll(order)
  process.send?.(done, () => process.exit(0))
}

async function scanAll(order: DeviceOrder): Promise<DevicesDone> {
  const cpu = process.cpuUsage()
  const begin = performance.now() + 200
  const end = begin + order.seconds * 1000
  const done: DevicesDone = {
    waits: [],
    lends: [],
    returns: [],
    repeated: 0,
    failures: [],
    tookMs: 0,
    cpuMs: 0,
  }
  await Promise.all(order.devices.map((device, index) => scan(device, index)))
  done.tookMs = performance.now() - begin
  const { user, system } = process.cpuUsage(cpu)
  return { ...done, cpuMs: (user + system) / 1000 }

  async function scan(device: DeviceOrder['devices'][number], index: number): Promise<void> {
    const send = viaSocket(device.port, device.token, device.host)
    const pause = order.perSecond === null ? 0 : 1000 / order.perSecond
    // Devices do not scan in step.
    let due = begin + (pause * index) / order.devices.length
    for (let n = 0; due < end && performance.now() < end; n++) {
      const early = due - performance.now()
      if (early > 0) await delay(early)
      const asked = order.perSecond === null ? performance.now() : due
      await act(send, n, device)
      // Counted from when the scan was made, not from when the one before was answered.
      done.waits.push(performance.now() - asked)
      due = order.perSecond === null ? performance.now() : due + pause
    }
  }

  /** Looks up, lends and returns a copy, and sends one action in fifty twice, as after a lost answer. */
  async function act(send: Send, n: number, device: DeviceOrder['devices'][number]): Promise<void> {
    const copy = device.copies[Math.floor(n / 3) % device.copies.length] ?? 0
    const key = randomUUID()
    const call = callOf(n % 3, copy, device, key)
    try {
      await send(call)
      if (n % 3 === 1) done.lends.push(key)
      if (n % 3 === 2) done.returns.push(key)
      if (call.key && n % 50 < 2) {
        await send(call)
        done.repeated += 1
      }
    } catch (error) {
      done.failures.push(String(error))
    }
  }
}

function callOf(
  step: number,
  copy: number,
  { reader, device_id }: DeviceOrder['devices'][number],
  key: string,
): Call {
  if (step === 0) return lookUp(copy)
  const call = step === 1 ? lend(copy, reader, key) : giveBack(copy, key)
  return { ...call, body: { ...call.body, device_id } }
}
