import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'

import { brokenScan } from '../../src/client/scanner/typed-scan.ts'
import { type Step, wholeOf } from '../../src/client/home/lane.ts'
import { advance } from '../../src/client/home/lane-engine.ts'
import { emptyLane, type Happening } from '../../src/client/home/lane-happenings.ts'
import { presenceAfter, timesOf, optionsOf } from '../../src/client/home/lane-rules.ts'
import { copyOfCounter, ModelCounter, readerOf } from './counter-model.ts'

const waiting = { name: 'asks-reader', to: null, is_over: false }
const lentTo = (counter: ModelCounter) => [...counter.lent].toSorted()
const asksToLend = (step: Step) => step.name === 'asks' && step.options[0] === 'lend'

describe('scans', () => {
  it('are worked on one after the other, each to its end', () => {
    const counter = new ModelCounter()
    for (const code of ['R1', '1001', 'R2', '1002']) counter.scan(code)
    expect(counter.asked).toHaveLength(1)
    expect(counter.state.lines.map(({ code, step }) => [code, step.name])).toEqual([
      ['R1', 'looking'],
      ['1001', 'looking'],
      ['R2', 'looking'],
      ['1002', 'looking'],
    ])
    counter.answerAll()
    expect(lentTo(counter)).toEqual([
      ['1001', 1],
      ['1002', 2],
    ])
  })

  it('go on after one that failed, which says so', () => {
    const counter = new ModelCounter()
    counter.scan('R1')
    const { key } = counter.scan('1001')
    counter.scan('1002')
    counter.answerNext()
    counter.failNext()
    counter.answerAll()
    expect(counter.step(key)).toMatchObject({ name: 'said', signal: 'refusal', options: ['again'] })
    expect(lentTo(counter)).toEqual([['1002', 1]])
  })

  it('wait for a name that is being looked for', () => {
    const counter = new ModelCounter()
    counter.happen({ what: 'name', search: 2 })
    counter.scan('1001')
    counter.answerAll()
    expect(lentTo(counter)).toEqual([['1001', 2]])
  })

  it('are all kept while they wait for their turn, however many they are', () => {
    const counter = new ModelCounter()
    for (let n = 0; n < 120; n += 1) counter.scan(String(1000 + n))
    expect(counter.state.lines).toHaveLength(120)
  })

  it('push out the oldest finished lines, never one that waits for a person', () => {
    const counter = new ModelCounter()
    const asking = counter.scanned('1001')
    counter.happen({ what: 'gesture' })
    for (let n = 0; n < 90; n += 1) counter.scanned(`R${1 + (n % 2)}`)
    expect(counter.state.lines).toHaveLength(80)
    expect(counter.step(asking.key)).toMatchObject({ name: 'asks' })
  })

  it('leave nothing for the next person, not even what was being looked up', () => {
    const counter = new ModelCounter()
    counter.scan('R1')
    counter.scan('1001')
    counter.happen({ what: 'leave' })
    counter.answerAll()
    expect(counter.state).toEqual({ ...emptyLane, keys: 2 })
    expect(counter.kept).toEqual([])
  })
})

const reservation = {
  id: 4,
  beneficiary_id: 7,
  beneficiary_info: 'Camille Roy (M7)',
  reference_id: 1005,
  copy_id: null,
  set_aside_copy: 1005,
  start_date: null,
  end_date: null,
  queue_position: null,
  closed: false,
}

class Reserved extends ModelCounter {
  override find(code: string) {
    const found = super.find(code)
    if (found.kind === 'copy' && code === '1005') found.copy.known?.reservations.push(reservation)
    return found
  }
}

describe('a copy that somebody else waits for', () => {
  const awaited = { id: 4, name: 'Camille Roy (M7)', site: null, is_set_aside: true }
  const asked = () => {
    const counter = new Reserved()
    counter.scanned('R1')
    return { counter, key: counter.scanned('1005').key }
  }

  it('is lent all the same only once somebody says so, and remembers who waits on', () => {
    const { counter, key } = asked()
    expect([counter.step(key), lentTo(counter)]).toMatchObject([{ name: 'asks', awaited }, []])
    counter.happen({ what: 'option', key, option: 'despite-reservations' })
    counter.answerAll()
    expect(counter.step(key)).toMatchObject({ name: 'kept', choice: { passed: [awaited] } })
    expect(lentTo(counter)).toEqual([['1005', 1]])
  })

  it('asks nothing more once it was set aside, and its refused action waits for nobody', () => {
    const { counter, key } = asked()
    counter.happen({ what: 'set-aside', key, awaited, refused: 'e1' })
    expect(counter.asked).toMatchObject([{ ask: 'drop', id: 'e1' }])
    counter.answerAll()
    counter.happen({ what: 'option', key, option: 'despite-reservations' })
    counter.answerAll()
    expect([counter.step(key), lentTo(counter)]).toMatchObject([{ name: 'set-aside', awaited }, []])
  })

  it('asks again what it asked once it is put back, and lends to nobody by itself', () => {
    const { counter, key } = asked()
    const before = counter.step(key)
    counter.happen({ what: 'set-aside', key, awaited, refused: null })
    counter.scanned('R2')
    counter.happen({ what: 'put-back', key })
    counter.answerAll()
    expect([counter.step(key), lentTo(counter)]).toEqual([before, []])
    counter.happen({ what: 'option', key, option: 'despite-reservations' })
    counter.answerAll()
    expect(lentTo(counter)).toEqual([['1005', 1]])
  })
})

describe('a late return', () => {
  const returned = () => {
    const counter = new ModelCounter()
    counter.scanned('R1')
    counter.scanned('1001')
    counter.happen({ what: 'close-reader' })
    counter.today = '2026-04-09'
    counter.penalty = '0.50'
    return { counter, key: counter.scanned('1001').key }
  }

  it('is taken back anew without its penalty on its own line', () => {
    const { counter, key } = returned()
    expect(counter.step(key)).toMatchObject({ name: 'kept', act: 'return', penalty: '0.50' })
    counter.happen({ what: 'option', key, option: 'waive' })
    counter.answerAll()
    expect(counter.step(key)).toMatchObject({ name: 'kept', act: 'return', penalty: null, is_waived: true })
    expect(counter.kept.at(-1)?.action).toMatchObject({
      do: 'return',
      gesture: { chosen: { penalty: false } },
    })
    expect([...counter.lent.keys()]).toEqual([])
  })

  it('is said not to be taken back where its second return cannot be kept', () => {
    const { counter, key } = returned()
    counter.happen({ what: 'option', key, option: 'waive' })
    while (counter.asked[0] && counter.asked[0].ask !== 'keep') counter.answerNext()
    counter.failNext()
    expect([counter.step(key), [...counter.lent.keys()]]).toMatchObject([
      { name: 'said', signal: 'refusal', options: ['again'] },
      ['1001'],
    ])
  })
})

describe('what is said of a scan', () => {
  it('is a word beside the title, and what is to be done before all else', () => {
    const counter = new Reserved()
    const said = (code: string) => {
      counter.scanned(code)
      const { said } = counter.state
      return said && [said.text, said.title, wholeOf(said)]
    }
    expect(said('1001')).toEqual([
      'Scannez la carte du lecteur',
      'Titre 1001',
      'Scannez la carte du lecteur\u202f: Titre 1001.',
    ])
    counter.happen({ what: 'gesture' })
    said('R1')
    expect(said('1002')).toEqual([
      'Prêté',
      'Titre 1002',
      'Prêté à 1 Lecteur jusqu’au 31/03\u202f: Titre 1002.',
    ])
    counter.after(61)
    expect(said('1002')).toEqual(['Rendu', 'Titre 1002', 'Rendu (prêté à 1 Lecteur)\u202f: Titre 1002.'])
    expect(said('1005')).toEqual([
      'Cet exemplaire est sujet à réservations',
      null,
      "Cet exemplaire est sujet à réservations\u202f: Camille Roy (M7). êtes vous sûr de vouloir l'ajouter au prêt ?",
    ])
  })
})

describe('a scan that came in pieces', () => {
  it('has a line that stays, each its own and its end none, and leaves the reader', () => {
    const counter = new ModelCounter()
    counter.scanned('R1')
    for (const seconds of [0, 1, 5]) {
      counter.after(seconds)
      counter.happen({ what: 'broken' })
    }
    counter.scanned('1001')
    const broken = counter.state.lines.filter(({ step }) => step.name === 'said')
    expect(broken.map(({ step }) => step)).toEqual([
      { name: 'said', signal: 'refusal', message: brokenScan.message, options: [] },
      { name: 'said', signal: 'refusal', message: brokenScan.message, options: [] },
    ])
    expect(lentTo(counter)).toEqual([['1001', 1]])
  })
})

describe('copies that come after a code of nobody', () => {
  it('are lent to no other card without a question, for they may be of the reader before', () => {
    const counter = new ModelCounter()
    counter.scanned('R1')
    counter.scanned('1001')
    counter.scanned('inconnu')
    counter.scanned('1002')
    counter.scanned('R2')
    expect(lentTo(counter)).toEqual([['1001', 1]])
    expect(counter.state.lines.find(({ code }) => code === '1002')?.step).toMatchObject({
      name: 'asks',
      options: expect.arrayContaining(['lend']),
    })
  })
})

describe('a card that came under a dialog', () => {
  it('ends the loans of the reader before, who is not whoever comes next; a copy there does not', () => {
    const counter = new ModelCounter()
    counter.scanned('R1')
    counter.happen({ what: 'missed', code: '1003' })
    counter.scanned('1001')
    counter.happen({ what: 'missed', code: 'R2' })
    const { step } = counter.scanned('1002')
    expect(lentTo(counter)).toEqual([['1001', 1]])
    expect(step).toMatchObject({ name: 'asks-reader' })
    counter.scanned('R2')
    expect(lentTo(counter)).toEqual([
      ['1001', 1],
      ['1002', 2],
    ])
  })
})

describe('a code that is taken up', () => {
  const takenUp = (counter: ModelCounter, reader: number | undefined, ...codes: string[]) => {
    for (const code of codes)
      counter.happen({ what: 'scan', code, by: 'scanner', of: { reader, turn: codes.join() } })
    counter.answerAll()
    return counter.state.lines.at(-1)!
  }

  it('is not lent to who has come since, whose name is asked about, however often it is looked up', () => {
    const counter = new ModelCounter()
    counter.scanned('R2')
    const { key } = takenUp(counter, 1, '1001')
    expect(counter.step(key)).toMatchObject({ name: 'asks', options: ['lend'], to: { reader: { id: 2 } } })
    counter.happen({ what: 'scan', code: '1002', by: 'scanner', of: { reader: 1, turn: 'another' } })
    counter.failNext(true)
    const failed = counter.state.lines.at(-1)!
    counter.happen({ what: 'option', key: failed.key, option: 'again' })
    counter.answerAll()
    expect(counter.step(failed.key)).toMatchObject({ name: 'asks', options: ['lend'] })
    expect(lentTo(counter)).toEqual([])
    counter.happen({ what: 'option', key, option: 'lend' })
    counter.answerAll()
    expect(lentTo(counter)).toEqual([['1001', 2]])
  })

  it('is lent to whose card came before it, in one go', () => {
    const counter = new ModelCounter()
    counter.scanned('R3')
    takenUp(counter, 3, 'R1', '1001', 'R2', '1002')
    expect(lentTo(counter)).toEqual([
      ['1001', 1],
      ['1002', 2],
    ])
    expect(takenUp(counter, 3, '1003').step).toMatchObject({ name: 'asks', to: { reader: { id: 2 } } })
  })

  it('is lent as it is read where the same reader is there, or nobody was', () => {
    const counter = new ModelCounter()
    counter.scanned('R1')
    takenUp(counter, 1, '1001')
    takenUp(counter, undefined, '1002')
    expect(lentTo(counter)).toEqual([
      ['1001', 1],
      ['1002', 1],
    ])
    counter.happen({ what: 'close-reader' })
    expect(takenUp(counter, 2, '1003').step).toEqual(waiting)
  })
})

describe('a reader whose card is closed', () => {
  it('is said to be gone, without a sound, where one was there', () => {
    const counter = new ModelCounter()
    counter.happen({ what: 'close-reader' })
    expect(counter.state.said).toBeNull()
    counter.scanned('R1')
    const sounds = counter.effects.length
    counter.happen({ what: 'close-reader' })
    expect(counter.state.said?.text).toBe('Lecteur fermé.')
    expect(counter.effects).toHaveLength(sounds)
  })
})

describe('a code that chose nobody', () => {
  it.each(['R2', 'inconnu', '1777'])(
    'may have been the next person’s card, as %s: the reader before is asked about',
    (code) => {
      const counter = new ModelCounter()
      counter.scanned('R1')
      counter.scan(code)
      if (code === 'R2') counter.failNext()
      counter.answerAll()
      expect(counter.scanned('1001').step).toMatchObject({ name: 'asks-reader', to: { reader: { id: 1 } } })
      expect(lentTo(counter)).toEqual([])
    },
  )

  it('is nobody’s card where it is an ISBN', () => {
    const counter = new ModelCounter()
    counter.scanned('R1')
    expect(counter.scanned('9782070360024').step).toMatchObject({ name: 'said' })
    counter.scanned('1001')
    expect(lentTo(counter)).toEqual([['1001', 1]])
  })

  it('leaves the reader there once a person says that it is a copy, unless they had left anyway', () => {
    for (const minutes of [0, 5]) {
      const counter = new ModelCounter()
      counter.is_online = false
      counter.scanned('R1')
      const { key } = counter.scanned('inconnu')
      counter.after(minutes * 60)
      counter.happen({ what: 'touch' })
      counter.happen({ what: 'option', key, option: 'is-copy' })
      counter.answerAll()
      expect(counter.step(key).name).toBe(minutes === 0 ? 'kept' : 'said')
    }
  })

  it.each(['is-copy', 'again'] as const)(
    'is not the next reader’s because somebody presses « %s » on it: they are named first',
    (option) => {
      const counter = new ModelCounter()
      counter.scanned('R1')
      counter.is_online = option === 'again'
      const { key } = counter.scan(option === 'again' ? '1001' : 'inconnu')
      if (option === 'again') counter.failNext(true)
      counter.answerAll()
      counter.scanned('R2')
      counter.happen({ what: 'option', key, option })
      counter.answerAll()
      expect(counter.step(key)).toMatchObject({ name: 'asks', to: { reader: { id: 2 } } })
      expect(lentTo(counter)).toEqual([])
      counter.happen({ what: 'option', key, option: 'lend' })
      counter.answerAll()
      expect(counter.kept).toHaveLength(1)
    },
  )
})

describe('a return from a list', () => {
  it('is recorded with what the list knows and what was waived, where its code cannot be looked up', () => {
    for (const is_online of [true, false]) {
      const counter = new ModelCounter()
      counter.is_online = is_online
      const copy = { bar_code: 'inconnu', title: 'Un titre', known: null, loan: null }
      counter.happen({ what: 'return', bar_code: 'inconnu', copy, is_waived: true })
      // The server fails, or the device alone was asked.
      if (is_online) counter.failNext(true)
      counter.answerAll()
      const [line] = counter.state.lines
      expect(line).toMatchObject({ copy: { title: 'Un titre' }, step: { name: 'kept', act: 'return' } })
      const gesture = { bar_code: 'inconnu', chosen: { penalty: false } }
      expect(counter.kept.map(({ action }) => action)).toMatchObject([{ do: 'return', gesture }])
    }
  })
})

describe('a return of a row', () => {
  const counterWith = (held: number | null) => {
    const counter = new ModelCounter()
    counter.lent.set('1001', 2)
    const find = counter.find.bind(counter)
    vi.spyOn(counter, 'find').mockImplementation((code) => {
      const found = find(code)
      if (found.kind !== 'copy' || !found.copy.loan) return found
      const loan = held === null ? null : { ...found.copy.loan, loan_id: held, waiting: false }
      return { ...found, copy: { ...found.copy, loan } }
    })
    return counter
  }
  const row = copyOfCounter('1001', 1)
  const of = { ...row.loan!, loan_id: 7, loan_key: null, waiting: false }
  const press = (held: number | null) => {
    const counter = counterWith(held)
    const copy = { ...row, known: null, loan: of }
    counter.happen({ what: 'return', bar_code: '1001', copy, is_waived: true })
    counter.answerAll()
    return counter
  }

  it('closes the loan of its row, also where this device knows an older one or none', () => {
    for (const held of [7, 6, null]) {
      const { kept } = press(held)
      expect(kept.map(({ action }) => action)).toMatchObject([
        { do: 'return', gesture: { isOfRow: true, loan: { loan_id: 7 }, chosen: { penalty: false } } },
      ])
    }
  })

  it('closes no loan that was made since, and waives nothing of it', () => {
    const counter = press(8)
    expect(counter.kept).toEqual([])
    expect(counter.state.lines.map(({ step }) => step)).toMatchObject([
      {
        name: 'said',
        message: '«\u00a0Titre 1001\u00a0» a été rendu et prêté à 2 Lecteur depuis.',
        options: [],
      },
    ])
  })
})

describe('what is done last', () => {
  it('stands last, though its line is older than the reader who came since', () => {
    const counter = new ModelCounter()
    counter.lent.set('1001', 2)
    const { key } = counter.scan('1001')
    counter.failNext(true)
    counter.scanned('R1')
    counter.scanned('1002')
    counter.happen({ what: 'option', key, option: 'return' })
    counter.scan('1003')
    counter.answerAll()
    expect(counter.state.lines.map(({ code }) => code)).toEqual(['R1', '1002', '1001', '1003'])
    expect(counter.step(key)).toMatchObject({ name: 'kept', act: 'return' })
  })
})

describe('a copy that is being set aside', () => {
  it('is not lent meanwhile, and offers it again once that failed', () => {
    const counter = new ModelCounter()
    const { key } = counter.scanned('1001')
    counter.happen({ what: 'under-way', keys: [key], by: 'set-aside' })
    counter.scanned('R1')
    counter.happen({ what: 'option', key, option: 'return' })
    counter.answerAll()
    expect([counter.kept, counter.step(key).name]).toEqual([[], 'asks-reader'])
    counter.happen({ what: 'under-way', keys: [key], by: null })
    counter.happen({ what: 'option', key, option: 'return' })
    counter.answerAll()
    expect(counter.step(key)).toMatchObject({ name: 'kept', act: 'return' })
  })
})

describe('a code that could not be looked up', () => {
  const optionsOf = (counter: ModelCounter, key: string) => {
    const step = counter.step(key)
    return step.name === 'said' ? step.options : null
  }

  it('is nothing to return until a person says that it is a copy, and a card never is', () => {
    const counter = new ModelCounter()
    const { key } = counter.scan('inconnu')
    counter.failNext(true)
    expect(optionsOf(counter, key)).toEqual(['again', 'is-copy'])
    counter.happen({ what: 'option', key, option: 'is-copy' })
    counter.failNext(true)
    expect(optionsOf(counter, key)).toEqual(['again', 'return'])
    const card = counter.scan('R1')
    counter.failNext(true)
    expect(optionsOf(counter, card.key)).toEqual(['again'])
  })
})

describe('how the camera read a code', () => {
  it('is asked for again whenever its line is looked up again', () => {
    const counter = new ModelCounter()
    counter.happen({ what: 'scan', code: '1001', by: 'camera', symbology: 'code_39' })
    counter.failNext()
    const { key } = counter.state.lines[0]!
    counter.happen({ what: 'option', key, option: 'again' })
    expect(counter.asked).toMatchObject([{ ask: 'find', symbology: 'code_39' }])
  })
})

describe('a copy that waits for a card', () => {
  it('is for the next one, with the copies of its group', () => {
    const counter = new ModelCounter()
    const first = counter.scanned('1001')
    const second = counter.scanned('1002')
    expect([first.step, second.step]).toEqual([waiting, waiting])
    counter.after(60)
    counter.scanned('R1')
    expect(lentTo(counter)).toEqual([
      ['1001', 1],
      ['1002', 1],
    ])
  })

  it('is for nobody once its time is over, whatever became of the clock', () => {
    for (const seconds of [61, -3600]) {
      const counter = new ModelCounter()
      const { key } = counter.scanned('1001')
      counter.after(seconds)
      counter.scanned('R1')
      expect(counter.step(key)).toEqual({ ...waiting, is_over: true })
    }
  })

  it.each(['1004', 'inconnu'])('asks when %s came between', (between) => {
    const counter = new ModelCounter()
    counter.lent.set('1004', 3)
    const { key } = counter.scanned('1001')
    counter.scanned(between)
    counter.scanned('R1')
    expect(asksToLend(counter.step(key))).toBe(true)
    expect(counter.lent.has('1001')).toBe(false)
  })

  it('asks when a card was closed or a button pressed between', () => {
    for (const what of ['gesture', 'close-reader'] as const) {
      const counter = new ModelCounter()
      const { key } = counter.scanned('1001')
      counter.happen({ what })
      counter.scanned('R1')
      expect(asksToLend(counter.step(key))).toBe(true)
    }
  })

  it('says by itself that it waits no more', () => {
    const counter = new ModelCounter()
    const { key } = counter.scanned('1001')
    counter.after(60)
    counter.happen({ what: 'time' })
    expect(counter.step(key)).toEqual(waiting)
    counter.after(1)
    counter.happen({ what: 'time' })
    expect(counter.step(key)).toEqual({ ...waiting, is_over: true })
  })

  it('waits once: scanned again, its older line says so', () => {
    const counter = new ModelCounter()
    const { key } = counter.scanned('1001')
    counter.scanned('1001')
    expect(counter.step(key)).toEqual({ name: 'taken-back', was: 'Scanné de nouveau' })
  })
})

describe('a reader left alone', () => {
  const choose = (counter: ModelCounter) => counter.happen({ what: 'choose', chosen: readerOf(1) })

  it('greys, comes back by any gesture, and goes for good after three minutes', () => {
    const counter = new ModelCounter()
    choose(counter)
    const seen = (what: 'time' | 'touch', seconds: number) => {
      counter.after(seconds)
      counter.happen({ what })
      return counter.state.presence
    }
    expect([seen('time', 89), seen('time', 1), seen('touch', 0)]).toEqual(['here', 'idle', 'here'])
    expect([seen('touch', 180), seen('touch', 0)]).toEqual(['gone', 'gone'])
    expect(counter.state.chosen).toEqual(readerOf(1))
    choose(counter)
    expect(counter.state.presence).toBe('here')
  })

  it('is known to be gone by the scan itself, however long the page has slept', () => {
    const counter = new ModelCounter()
    choose(counter)
    counter.after(600)
    const { key } = counter.scanned('1001')
    expect(counter.state.presence).toBe('gone')
    expect(counter.step(key)).toEqual({ ...waiting, to: readerOf(1) })
    counter.happen({ what: 'option', key, option: 'continue' })
    counter.answerAll()
    expect(lentTo(counter)).toEqual([['1001', 1]])
  })

  it('never leaves while scans are worked on', () => {
    const counter = new ModelCounter()
    choose(counter)
    counter.scan('1001')
    counter.after(600)
    counter.happen({ what: 'time' })
    counter.scan('1002')
    counter.answerAll()
    expect(counter.state.presence).toBe('here')
    expect(lentTo(counter)).toHaveLength(2)
  })

  it('is not in sight any more when only proposed', () => {
    const counter = new ModelCounter()
    counter.happen({ what: 'propose', proposed: readerOf(1) })
    const see = () => {
      counter.happen({ what: 'scan', code: '1001', by: 'camera', in_sight: true })
      return counter.state.lines.at(-1)!.before
    }
    expect(see()).toMatchObject({ in_sight: true, proposed: readerOf(1) })
    counter.answerAll()
    counter.after(600)
    expect(see()).toMatchObject({ in_sight: false })
  })
})

describe('a card that chooses nobody', () => {
  it('is the next person’s: what they bring is not lent to the reader before', () => {
    const counter = new ModelCounter()
    counter.scanned('R1')
    counter.scan('R2')
    counter.failNext()
    const { key, step } = counter.scanned('1001')
    expect(step).toEqual({ ...waiting, to: readerOf(1) })
    counter.happen({ what: 'option', key, option: 'continue' })
    counter.answerAll()
    expect(lentTo(counter)).toEqual([['1001', 1]])
  })
})

describe('the parameters', () => {
  it('are seconds; what is not known is as delivered', () => {
    expect(timesOf({ wait: 30, idle: undefined, forget: undefined })).toEqual({
      wait: 30_000,
      idle: 90_000,
      forget: 180_000,
    })
  })

  it('forget at once a reader who would grey later', () => {
    const times = { wait: 1, idle: 90_000, forget: 60_000 }
    expect(presenceAfter(59_999, times)).toBe('here')
    expect(presenceAfter(60_000, times)).toBe('gone')
  })
})

describe('a step of the engine', () => {
  it('changes nothing of what came in', () => {
    const counter = new ModelCounter()
    for (const code of ['1001', 'R1', '1002']) counter.scan(code)
    counter.answerNext()
    const frozen = structuredClone(counter.state)
    advance(
      counter.state,
      { what: 'close-reader' },
      {
        now: counter.now,
        times: counter.times,
        may: { lend: true, return: true, override: true },
        fast_input: true,
        is_online: true,
        kind_of: () => null,
        resembles: () => null,
      },
    )
    expect(counter.state).toEqual(frozen)
  })
})

// ── Hours at random ──

type Doing =
  | { do: 'group'; codes: string[] }
  | { do: 'scan'; code: string; by: 'scanner' | 'camera' }
  | { do: 'press'; line: number; option: number }
  | { do: 'card-button'; code: string }
  | { do: 'choose'; reader: number }
  | { do: 'close' }
  | { do: 'gesture' }
  | { do: 'wait'; seconds: number }
  | { do: 'answer'; times: number }
  | { do: 'fail' }
  | { do: 'network'; is_online: boolean }

const codes = ['R1', 'R2', 'R9', '1001', '1002', '1003', 'inconnu']
const hour = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('group' as const),
        codes: fc.array(fc.constantFrom(...codes), { minLength: 5, maxLength: 9 }),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('scan' as const),
        code: fc.constantFrom(...codes),
        by: fc.constantFrom('scanner' as const, 'camera' as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('press' as const), line: fc.nat(20), option: fc.nat(3) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('card-button' as const),
        code: fc.constantFrom('1001', '1002'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('choose' as const), reader: fc.constantFrom(1, 2) }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'close' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'gesture' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        seconds: fc.constantFrom(1, 30, 70, 100, 200),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('answer' as const), times: fc.integer({ min: 1, max: 5 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'fail' as const }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('network' as const), is_online: fc.boolean() }) },
  ),
  { maxLength: 30 },
)

/** What a person did, in the plainest words: who was named, and what each line was asked. */
class Witness {
  readonly counter = new ModelCounter()
  /** Codes of scans and presses that have a line, in order. */
  readonly codes: string[] = []
  /** Presses by line, with the reader whom the button named. */
  readonly presses = new Map<string, { option: string; to: number | null }[]>()

  take(doing: Doing): void {
    const { counter } = this
    switch (doing.do) {
      case 'group':
        for (const code of doing.codes) this.take({ do: 'scan', code, by: 'scanner' })
        return
      case 'scan':
        return this.note(doing.code, { what: 'scan', code: doing.code, by: doing.by })
      case 'press':
        return this.press(doing.line, doing.option)
      case 'card-button':
        return this.note(doing.code, { what: 'return', bar_code: doing.code })
      case 'choose':
        return this.note(`R${doing.reader}`, { what: 'choose', chosen: readerOf(doing.reader) })
      case 'close':
        return counter.happen({ what: 'close-reader' })
      case 'gesture':
        return counter.happen({ what: 'gesture' })
      case 'wait':
        counter.after(doing.seconds)
        return counter.happen({ what: 'time' })
      case 'answer':
        for (let n = 0; n < doing.times; n += 1) counter.answerNext()
        return
      case 'fail':
        return counter.failNext()
      case 'network':
        counter.is_online = doing.is_online
    }
  }

  /** The camera's second sight of a label, and a press on what is under way, are no line. */
  private note(code: string, happening: Happening): void {
    const before = this.counter.state.lines
    const isUnderWay =
      happening.what === 'return' &&
      before.some((line) => line.under_way === 'return' && (line.copy?.bar_code ?? line.code) === code)
    const isSeenAgain =
      happening.what === 'scan' &&
      happening.by === 'camera' &&
      before.some((line) => line.code === code && Math.abs(this.counter.now - line.at) < 2_000)
    this.counter.happen(happening)
    if (!isUnderWay && !isSeenAgain) this.codes.push(code)
  }

  private press(at: number, which: number): void {
    const { lines } = this.counter.state
    const line = lines[lines.length - 1 - at]
    if (!line) return
    const options = [
      ...optionsOf(line, null, { lend: true, return: true, override: true }),
      'take-back' as const,
    ]
    const option = options[which % options.length]!
    const { step } = line
    const named =
      step.name === 'asks' || step.name === 'asks-reader'
        ? step.to
        : step.name === 'kept'
          ? (step.not_theirs?.chosen ?? null)
          : null
    const to = named && 'reader' in named ? named.reader.id : null
    if (line.under_way === null)
      this.presses.set(line.key, [...(this.presses.get(line.key) ?? []), { option, to }])
    // What it passes on has a line of its own.
    const isPassedOn = option === 'lend' && step.name === 'kept' && line.under_way === null
    if (option === 'take-back') this.counter.happen({ what: 'take-back', key: line.key })
    else this.counter.happen({ what: 'option', key: line.key, option, reason: 'Motif' })
    if (isPassedOn) this.passedOn += 1
  }
  passedOn = 0
}

describe('an hour at the counter, at random', () => {
  const play = (doings: readonly Doing[]): Witness => {
    const witness = new Witness()
    for (const doing of doings) {
      witness.take(doing)
      expect(witness.counter.asked.length).toBeLessThanOrEqual(1)
    }
    witness.counter.answerAll()
    return witness
  }

  it('leaves no scan without its line, and no line without its end', () => {
    fc.assert(
      fc.property(hour, (doings) => {
        const { counter, codes: scanned, passedOn } = play(doings)
        const shown = counter.state.lines.map(({ code }) => code)
        // A copy that is passed on from a return adds a line where it is pressed.
        const rest = [...shown]
        for (const code of scanned) {
          const place = rest.indexOf(code)
          expect(place).toBeGreaterThanOrEqual(0)
          rest.splice(place, 1)
        }
        expect(rest.length).toBeLessThanOrEqual(passedOn)
        expect(counter.state).toMatchObject({ doing: null, turns: [] })
        for (const { step, under_way } of counter.state.lines)
          expect([step.name === 'looking', under_way]).toEqual([false, null])
      }),
    )
  })

  it('lends to nobody but who came last before the copy, next after it, or is named by the button', () => {
    fc.assert(
      fc.property(hour, (doings) => {
        const { counter, presses } = play(doings)
        const { lines } = counter.state
        for (const { key, action } of counter.kept) {
          if (action.do !== 'lend') continue
          const at = lines.findIndex((line) => line.key === key)
          const cards = lines.map(({ code }) => (/^R\d$/.test(code) ? Number(code.slice(1)) : null))
          // Looked up again, a line stands where it was and means what is chosen now.
          const isAgain = presses.get(key)?.some(({ option }) => option === 'again')
          const meant = new Set([
            cards.slice(0, at).findLast((card) => card !== null),
            cards.slice(at).find((card) => card !== null),
            ...(presses.get(key) ?? []).map(({ to }) => to),
            ...[...presses.values()]
              .flat()
              .filter(({ option }) => option === 'continue')
              .map(({ to }) => to),
            ...(isAgain ? cards : []),
            ...passedOnTo(presses),
          ])
          expect(meant).toContain(action.gesture.beneficiary.id)
        }
      }),
    )
  })

  it('acts once for each scan or press, on the copy that was scanned', () => {
    fc.assert(
      fc.property(hour, (doings) => {
        const { counter, presses } = play(doings)
        const acts = new Map<string, number>()
        for (const { key, action } of counter.kept) {
          const { code } = counter.line(key)
          const acted =
            action.do === 'return'
              ? action.gesture.bar_code
              : action.do === 'lend'
                ? action.gesture.copy.bar_code
                : code
          expect(acted).toBe(code)
          acts.set(key, (acts.get(key) ?? 0) + 1)
        }
        for (const [key, count] of acts)
          expect(count).toBeLessThanOrEqual(1 + (presses.get(key)?.length ?? 0))
      }),
    )
  })

  it('overrides a refusal and takes back by a press alone', () => {
    fc.assert(
      fc.property(hour, (doings) => {
        const { counter, presses } = play(doings)
        for (const { key, action } of counter.kept) {
          if (action.do !== 'lend' || action.gesture.beneficiary.id !== 9) continue
          expect(presses.get(key)?.map(({ option }) => option)).toContain('override')
        }
      }),
    )
  })
})

const passedOnTo = (presses: Witness['presses']) =>
  [...presses.values()]
    .flat()
    .filter(({ option }) => option === 'lend')
    .map(({ to }) => to)
