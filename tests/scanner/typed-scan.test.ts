import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeShape, codeShapesOf, learnCode } from '../../src/domain/code-shapes.ts'
import { createTypedScan } from '../../src/client/scanner/typed-scan.ts'
import type { TypedKey, TypedScanStep } from '../../src/client/scanner/typed-scan.ts'

const libraryShapes = codeShapesOf(
  [
    ...Array.from({ length: 30 }, (_, at) => withCheckDigit(`31555510${String(at).padStart(5, '0')}`)),
    ...Array.from({ length: 30 }, (_, at) => withCheckDigit(`21555000${String(at).padStart(5, '0')}`)),
    ...Array.from({ length: 30 }, (_, at) => `BIB-${String(at).padStart(6, '0')}`),
    ...Array.from({ length: 9 }, (_, at) => `L${at + 10}`),
  ].reduce<CodeShape[]>((shapes, code) => {
    learnCode(shapes, code, 'copy')
    return shapes
  }, []),
)

/** A library number of thirteen figures with its fourteenth. */
function withCheckDigit(body: string): string {
  const sum = Array.from(body).reduce((total, figure, at) => {
    const weighed = Number(figure) * (at % 2 === 0 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

type Typing = {
  prefix?: string
  shapes?: ReturnType<typeof codeShapesOf>
  isWriting?: boolean
  /** What stands in the box for codes, which has the focus then. */
  box?: string
}

/** Types keys `gap` ms apart, rests where the scan asks for it, and gives back the scans that came out. */
function typing({ prefix = '', shapes = codeShapesOf([]), isWriting = false, box: stood }: Typing = {}) {
  const scan = createTypedScan({ prefix, shapes })
  let at = 1000
  let box = stood
  const before = new Map<number, string>()
  const scans: string[] = []
  const kinds: string[] = []
  const left: string[] = []
  /** Of each Enter outside of a field, whether it presses what has the focus. */
  const presses: boolean[] = []
  const note = (step: TypedScanStep): void => {
    kinds.push(step.kind)
    if (step.kind === 'pass') left.push(...(step.left?.length === 0 ? ['broken'] : (step.left ?? [])))
    if (step.kind === 'scan') scans.push(...step.codes)
    if (step.kind === 'broken') scans.push('broken')
    if (box === undefined || (step.kind !== 'scan' && step.kind !== 'broken')) return
    box = step.empties ? '' : (before.get(step.from) ?? box)
  }
  const wait = (ms: number): void => {
    const rest = scan.waits()
    if (rest !== null && rest < ms) {
      const step = scan.rest(at + rest, isWriting, box)
      // A person sees what stands in the box.
      if (box === undefined || step.kind !== 'broken') note(step)
    }
    at += ms
  }
  const press = (key: string, gap = 8, more: Partial<TypedKey> = {}): void => {
    wait(gap)
    const step = scan.press({ key, at, box, ...more })
    if (key === 'Enter') presses.push(step.kind === 'pass' && !step.fast)
    if (box !== undefined && step.kind === 'pass') {
      if (step.begins !== null) before.set(step.begins, box)
      if (key === 'Enter') scans.push(`in the box: ${box}`)
      box = key === 'Enter' ? '' : box + key
    }
    note(step)
  }
  const type = (text: string, gap = 8): void => {
    for (const key of Array.from(text)) press(key, gap)
  }
  const returnTo = () => scan.returnTo(at)
  return { press, type, wait, returnTo, touch: scan.touch, scans, kinds, left, presses, inBox: () => box }
}

/** Plays « 3155~150~5510000066⏎ »: a number between tildes is a pause, ⏎ is Enter, ^J is Ctrl+J. */
const play = (keys: string, shapes = codeShapesOf([]), gap = 8): string[] =>
  played(keys, { shapes }, gap).scans

function played(keys: string, options: Typing, gap = 8) {
  const hand = typing(options)
  const { press, type, wait } = hand
  for (const part of keys.split(/(~\d+~|⏎|⇥|\^.)/)) {
    if (/^~\d+~$/.test(part)) wait(Number(part.slice(1, -1)) - gap)
    else if (part === '⏎') press('Enter', gap)
    else if (part === '⇥') press('Tab', gap)
    else if (part.startsWith('^')) press(part.slice(1).toLowerCase(), gap, { modified: true, control: true })
    else type(part, gap)
  }
  wait(5_000)
  return hand
}

describe('createTypedScan', () => {
  it.each(['Enter', 'Tab'])('takes a burst ended by %s', (end) => {
    const { type, press, scans } = typing()
    type('30000000000015')
    press(end)
    expect(scans).toEqual(['30000000000015'])
  })

  it('takes three scans in a second', () => {
    const { type, press, scans } = typing()
    for (const code of ['30000000000015', '30000000000023', '30000000000031']) {
      type(code, 12)
      press('Enter', 12)
      press('Unidentified', 100)
    }
    expect(scans).toEqual(['30000000000015', '30000000000023', '30000000000031'])
  })

  it('takes six characters, not five', () => {
    const { type, press, scans } = typing()
    type('12345')
    press('Enter')
    type('123456', 8)
    press('Enter', 8)
    expect(scans).toEqual(['123456'])
  })

  it('leaves a name or a password to a password manager, and takes digits even there', () => {
    const { press, scans, kinds } = typing()
    for (const key of 'girafe au long cours') press(key, 2, { credential: true })
    press('Tab', 2, { credential: true })
    expect(kinds.at(-1)).toBe('pass')
    for (const code of ['30000000000015', '3155 551000 1007']) {
      for (const key of code) press(key, 8, { credential: true })
      press('Enter', 8, { credential: true })
      press('Unidentified', 200)
    }
    expect(scans).toEqual(['30000000000015', '3155 551000 1007'])
  })

  it('takes a mean of 45 ms, not of 46', () => {
    const { type, press, scans } = typing()
    type('abc12d', 46)
    press('Enter', 46)
    expect(scans).toEqual([])
    press('a', 1500)
    type('bc12d', 45)
    press('Enter', 45)
    expect(scans).toEqual(['abc12d'])
  })

  it('takes seven figures of a slow scanner up to a mean of 60 ms, and no word', () => {
    const { type, press, scans } = typing()
    type('31555510', 61)
    press('Enter', 61)
    press('b', 1500)
    type('onnement', 46)
    press('Enter', 46)
    expect(scans).toEqual([])
    press('3', 1500)
    type('155555', 60)
    press('Enter', 60)
    expect(scans).toEqual(['3155555'])
  })

  it.each([
    ['a pause before the sixth sign', '31555~150~510000066⏎', '31555510000066'],
    ['a pause after the second sign', '31~499~555510000066⏎', '31555510000066'],
    ['two pauses', '315~200~55510~300~000066⏎', '31555510000066'],
    ['a pause before the last sign', '3155551000006~300~6⏎', '31555510000066'],
    ['a pause between codes with letters', 'BIB-~140~000123⏎', 'BIB-000123'],
    ['a pause after the first sign, which may be typed', '3~300~1555510000017⏎', 'broken'],
    ['a letter before it', 'a~300~31555510000017⏎', '31555510000017'],
    ['a tail after half a second', '31555~600~510000066⏎', 'broken'],
    ['three pauses', '315~200~555~200~100~200~00066⏎', 'broken'],
    ['a tail after a second, by itself', '31555~1100~510000066⏎', '510000066'],
    ['an ending that is 120 ms late', '31555510000066~120~⏎', '31555510000066'],
    ['an ending that is too late', '31555~700~⏎', undefined],
    ['LF as Ctrl+J', '31555510000066^J', '31555510000066'],
    ['CR and LF as Ctrl+M and Ctrl+J', '31555510000066^M^J', '31555510000066'],
    ['GS as Ctrl+]', 'BIB-000^]123⏎', 'BIB-000123'],
    ['codes with letters at 40 ms', 'B0001234⏎', 'B0001234', 40],
    ['no ending', '31555510000066', '31555510000066'],
    ['no ending where it is a sentence', 'bonjour madame', undefined],
  ])('plays a scan with %s', (_, keys, code, gap = 8) => {
    expect(play(keys, undefined, gap)).toEqual(code === undefined ? [] : [code])
  })

  it.each([
    ['a pause after the first sign', '3~300~1555510000017⏎', ['31555510000017']],
    ['a longer pause after the first sign', '3~700~1555510000017⏎', ['broken']],
    ['a figure typed before the scan', '3~300~31555510000017⏎', ['31555510000017']],
    ['a sign typed before the scan', 'a~300~31555510000017⏎', ['31555510000017']],
    ['a space that pressed a button before the scan', ' ~700~31555510000017⏎', ['31555510000017']],
    ['a space that pressed a button just before the scan', ' ~300~31555510000017⏎', ['31555510000017']],
    ['two scans in one burst', '3155551000001721555000000016⏎', ['31555510000017', '21555000000016']],
    ['a card and a label with letters', '21555000000016BIB-000007⏎', ['21555000000016', 'BIB-000007']],
    ['two scans without endings', '31555510000017~200~21555000000016', ['31555510000017', '21555000000016']],
    ['an ISBN and a label', '978207036002431555510000017⏎', ['9782070360024', '31555510000017']],
    ['a code of three signs', 'L12⏎', ['L12']],
    ['three signs that are no code', 'le1⏎', []],
    ['the beginning of a code, without an ending', '31555510', ['broken']],
    ['a code whose end never came', '31555510000017⏎~2000~3155551', ['31555510000017', 'broken']],
    ['a second scan after half a code', '31555~700~31555510000017⏎', ['broken']],
    ['two scans of an AZERTY keyboard', '"&((((&ààààà&èBIB)ààààà_⏎', ['31555510000017', 'BIB-000008']],
    ['a pause in a scan of an AZERTY keyboard', 'BIB)ààà~300~àà_', ['BIB)ààààà_']],
    ['the end of a code two seconds after its beginning', '31555510~2000~000066⏎', ['broken', 'broken']],
    [
      'a whole code two seconds after the beginning of one',
      '31555510~2000~31555510000017⏎',
      ['broken', '31555510000017'],
    ],
    ['the end of a code after its first signs', '31555~1500~510000066⏎', ['broken']],
    ['the end of a code after its first sign', '3~5000~1555510000066⏎', ['broken']],
    ['the end of a code, however long the pause', '3155~20000~5510000066⏎', ['broken']],
    ['what comes more than a minute after some figures', '3155~61000~5510000066⏎', ['5510000066']],
    ['what comes after figures of fingers', '3~200~1~200~5~200~5~5000~5510000066⏎', ['5510000066']],
    ['a code in three pieces', '31555~1200~510~1200~000066⏎', ['broken']],
    ['a code in three pieces without an ending', '31555~1200~510~1200~000066', ['broken']],
    ['a code that somebody else’s figures came before', '2155~5000~31555510000017⏎', ['31555510000017']],
    ['what follows a whole code too soon', '31555510000017~200~525001⏎', ['31555510000017', 'broken']],
  ])('tells by the codes of the library %s', (_, keys, codes) => {
    expect(play(keys, libraryShapes)).toEqual(codes)
  })

  it.each<[string, string, string, boolean, string[], string]>([
    ['half a code, however long the pause', '', '31555~5000~510000066⏎', true, ['31555510000066'], ''],
    ['half a code without an ending', '', '31555~5000~510000066', true, ['31555510000066'], ''],
    ['half a code after a short pause', '', '31555~700~510000066⏎', true, ['31555510000066'], ''],
    ['few figures of a code', '', '3155551000~5000~0066⏎', true, ['in the box: 31555510000066'], ''],
    ['half a code that is one by itself', '', '2155500000~5000~L12⏎', true, ['L12'], '2155500000'],
    ['letters and figures that begin a code', '', 'BI~2000~B-0000⏎', true, ['broken'], ''],
    ['a name', 'dup', '31555510000017⏎', true, ['31555510000017'], 'dup'],
    ['figures before a whole code', '12', '31555510000017⏎', true, ['31555510000017'], '12'],
    ['a fast burst before a whole code', '', '31555~700~31555510000017⏎', true, ['broken'], ''],
    ['half a code where nothing is known', '', '31555~5000~510000066⏎', false, ['broken'], ''],
    ['half of the same code', '31555', '31555510000066⏎', false, ['31555510000066'], '31555'],
    ['a name where nothing is known', 'dup', '31555510000066⏎', false, ['31555510000066'], 'dup'],
    ['half a code a moment ago', '', '31555~700~510000066⏎', false, ['in the box: 31555510000066'], ''],
    ['nothing', '', '31555510000066⏎', false, ['31555510000066'], ''],
  ])('knows in the box what a scan makes with %s', (_, box, keys, isKnown, codes, stands) => {
    const { scans, inBox } = played(keys, { box, shapes: isKnown ? libraryShapes : codeShapesOf([]) })
    expect([scans, inBox()]).toEqual([codes, stands])
  })

  it('refuses what may be a code by itself or the end of one, in the box and elsewhere', () => {
    const learnt: CodeShape[] = []
    for (const code of ['31555510000017', '31555510000066', '000017', '000018'])
      learnCode(learnt, code, 'copy')
    const shapes = codeShapesOf(learnt)
    const { scans, inBox } = played('31555510~5000~000066⏎', { box: '', shapes })
    expect([scans, inBox()]).toEqual([['broken'], ''])
    // Its beginning is said when nothing has followed for a second.
    expect(play('31555510~5000~000066⏎', shapes)).toEqual(['broken', 'broken'])
    expect(play('000066⏎', shapes)).toEqual(['000066'])
  })

  it('makes in the box of a scan in pieces its code or nothing, and never a part of it', () => {
    const pause = integer({ min: 101, max: 3_000 })
    assert(
      property(
        constantFrom('31555510000017', 'BIB-000007', '9782070360024'),
        integer({ min: 1, max: 6 }),
        integer({ min: 1, max: 6 }),
        pause,
        pause,
        constantFrom('⏎', '~120~⏎', '~700~⏎', ''),
        (code, one, two, first, second, ending) => {
          const keys = `${code.slice(0, one)}~${first}~${code.slice(one, one + two)}~${second}~${code.slice(one + two)}`
          const { scans } = played(keys + ending, { box: '', shapes: libraryShapes })
          const mayBe = [code, 'broken', `in the box: ${code}`, 'in the box: ']
          return scans.every((scan) => mayBe.includes(scan))
        },
      ),
    )
  })

  it.each([
    ['too short to act', 'L12⏎', false, ['L12']],
    ['of two signs', 'L1⏎', true, ['L1']],
    ['of two signs that may be two fingers', 'ab⏎', false, ['ab']],
    ['short and cut', 'a~300~1001⏎', false, ['broken']],
    ['short, of which one sign stands apart', 'L~300~12⏎', true, ['L12']],
    ['whose ending is too late', '31555510000066~700~⏎', false, ['31555510000066']],
    ['of an AZERTY keyboard', '&ààà⏎', false, ['1000']],
    ['that is a scan', '31555510000066⏎', false, []],
  ])('leaves what a scanner typed %s', (_, keys, isKnown, codes) => {
    const shapes: CodeShape[] = []
    for (const code of ['L1', 'L2', 'L12']) learnCode(shapes, code, 'copy')
    expect(played(keys, { shapes: codeShapesOf(isKnown ? shapes : []) }).left).toEqual(codes)
  })

  it('leaves nothing that fingers typed', () => {
    expect(played('l12⏎', {}, 80).left).toEqual([])
    const { press, left } = typing()
    for (const key of ['m', 'o', 't', '1']) press(key, 2, { credential: true })
    press('Enter', 2, { credential: true })
    expect(left).toEqual([])
  })

  it.each([
    ['what ended by itself', '31555510000017~700~⏎', true, [false]],
    ['what ended by itself, with a second one', '31555510000017~700~⏎⏎', true, [false, false]],
    ['what ended by itself where nothing is known', '31555510000066~1900~⏎', false, [false]],
    ['a code that ends with it', '31555510000066~700~⏎⏎', false, [false, false]],
    ['a code in two', '31555~600~510000066~1500~⏎', false, [false]],
    ['a short burst', '1001~700~⏎', false, [false]],
    ['a scan of long ago', '31555510000017~2001~⏎', true, [true]],
    ['a short burst of long ago', '1001~2001~⏎', false, [true]],
    ['a scan and another key', '31555510000017~700~x~300~⏎', true, [true]],
    ['a scan and its own', '31555510000017⏎~700~⏎', true, [false, true]],
  ])('lets an Enter press nothing that comes late after %s', (_, keys, isKnown, presses) => {
    expect(played(keys, { shapes: isKnown ? libraryShapes : codeShapesOf([]) }).presses).toEqual(presses)
  })

  it('lets an Enter press after fingers have typed, or something else was pressed', () => {
    expect(played('1001~700~⏎', {}, 80).presses).toEqual([true])
    for (const code of ['31555510000017', '1001']) {
      const { type, wait, touch, press, presses } = typing({ shapes: libraryShapes })
      type(code)
      wait(300)
      touch()
      press('Enter', 700)
      expect(presses).toEqual([true])
    }
  })

  it('says of a scan whether no fingers roll so fast', () => {
    const quickOf = (gap: number, late: number) => {
      const scan = createTypedScan({ prefix: '', shortest: 4 })
      Array.from('1001').forEach((key, at) => scan.press({ key, at: 1000 + at * gap }))
      return scan.press({ key: 'Enter', at: 1000 + 3 * gap + late })
    }
    expect(quickOf(30, 50)).toMatchObject({ kind: 'scan', quick: true })
    expect(quickOf(31, 50)).toMatchObject({ kind: 'scan', quick: false })
    expect(quickOf(30, 51)).toMatchObject({ kind: 'scan', quick: false })
  })

  it('takes two scans in one burst with the prefix before each', () => {
    const { type, press, scans } = typing({ prefix: '~', shapes: libraryShapes })
    type('~L12~L13')
    press('Enter')
    expect(scans).toEqual(['L12', 'L13'])
  })

  it('ends a code of the library after 150 ms, and swallows the ending that comes later', () => {
    const { type, press, wait, scans, kinds } = typing({ shapes: libraryShapes })
    type('31555510000017')
    wait(151)
    expect(scans).toEqual(['31555510000017'])
    press('Enter', 300)
    expect(kinds.at(-1)).toBe('swallow')
    press('Enter', 600)
    expect(kinds.at(-1)).toBe('pass')
  })

  it('bears one slow gap in a quick burst', () => {
    const { type, press, scans } = typing()
    type('1234567')
    press('8', 100)
    type('9012345')
    press('Enter')
    expect(scans).toEqual(['123456789012345'])
  })

  it('never takes what a person types, slower than 60 ms a key', () => {
    assert(
      property(
        array(
          record({
            key: constantFrom('a', '1', 'é', 'Enter', 'Tab', 'Shift'),
            gap: integer({ min: 61, max: 1500 }),
          }),
        ),
        (keys) => {
          const { press, scans, kinds } = typing({ shapes: libraryShapes })
          for (const { key, gap } of keys) press(key, gap)
          return scans.length === 0 && !kinds.includes('broken')
        },
      ),
    )
  })

  it.each([70, 90, 110, 160, 400])(
    'takes a code of the library typed where nobody writes, a sign every %s ms',
    (gap) => {
      for (const pause of [gap, 300, 800]) {
        const keys = `3155551~${pause}~0000017⏎`
        const { scans, presses } = played(keys, { shapes: libraryShapes }, gap)
        expect([scans, presses]).toEqual([['31555510000017'], [false]])
      }
    },
  )

  it('makes of a slow and uneven scanner a code of the library or nothing, and never its end', () => {
    const gaps = array(integer({ min: 20, max: 160 }), { minLength: 15, maxLength: 15 })
    assert(
      property(constantFrom('31555510000017', '9782070360024'), gaps, (code, ms) => {
        const { press, wait, scans, left, presses } = typing({ shapes: libraryShapes })
        Array.from(code).forEach((key, at) => press(key, at === 7 ? 300 : ms[at]))
        press('Enter', ms[14])
        wait(5_000)
        const said = [...scans, ...left]
        return (
          said.length > 0 && said.every((one) => one === code || one === 'broken') && presses[0] === false
        )
      }),
    )
  })

  it.each<[string, string, Typing, string[], string[]]>([
    ['an unknown number, to be taken up', '4444444~300~4444444⏎', {}, [], ['44444444444444']],
    ['the fast end of an unknown number', '4~90~4~90~4~90~4~300~4444444⏎', {}, ['broken'], []],
    ['what is written in a field', '31555510000017⏎', { box: '' }, ['in the box: 31555510000017'], []],
    ['few figures', '1234567⏎', {}, [], []],
    ['figures that stood still for more than a second', '3155551~1200~0000017⏎', {}, [], []],
  ])('keeps of slow keys %s', (_, keys, options, codes, kept) => {
    const gap = keys.includes('~90~') ? 8 : 90
    const { scans, left } = played(keys, { shapes: libraryShapes, ...options }, gap)
    expect([scans, left]).toEqual([codes, kept])
  })

  it('never takes for a code the end of one that a slow scanner typed', () => {
    const learnt: CodeShape[] = []
    for (const code of ['31555510000017', '31555510000025', '000017', '000025'])
      learnCode(learnt, code, 'copy')
    const shapes = codeShapesOf(learnt)
    expect(played('000017⏎', { shapes }, 110).scans).toEqual(['000017'])
    const after = (begin: (hand: ReturnType<typeof typing>) => void, end = '000017') => {
      const hand = typing({ shapes })
      begin(hand)
      hand.type(end, 110)
      hand.press('Enter', 110)
      hand.wait(5_000)
      return [...hand.scans, ...hand.left]
    }
    const isWriting = true
    const begun = {
      'after a pause of more than a second': after((hand) => {
        hand.type('31555510', 110)
        hand.wait(1_200)
      }),
      'after a field was left within it': after(({ press }) => {
        for (const key of '31555510') press(key, 110, { isWriting })
      }),
      'after a fast half': after((hand) => {
        hand.type('31555510')
        hand.wait(1_200)
      }),
      'before the page heard its beginning': after(
        ({ press }) => press('0', 110, { follows: true }),
        '00017',
      ),
      'a moment after the page began': after(
        ({ press }) => press('0', 110, { followsSlowly: true }),
        '00017',
      ),
      'after another window had the keys': after(({ returnTo }) => returnTo()),
      'of more signs than a code has': after((hand) => hand.type('4'.repeat(40), 110)),
    }
    for (const [how, said] of Object.entries(begun))
      expect([how, said.filter((one) => one !== 'broken')]).toEqual([how, []])
  })

  it('takes two codes of a slow scanner one after the other', () => {
    const { scans } = played('31555510000017⏎31555510000025⏎', { shapes: libraryShapes }, 110)
    expect(scans).toEqual(['31555510000017', '31555510000025'])
  })

  it('lets the second ending of a slow scanner press nothing', () => {
    for (const code of ['31555510000017', '44444444444444'])
      expect(played(`${code}⏎⏎`, { shapes: libraryShapes }, 110).presses).toEqual([false, false])
  })

  it('gives Enter back to a person after slow figures, once a second has gone or something else was pressed', () => {
    const { type, wait, touch, press, presses, left } = typing({ shapes: libraryShapes })
    type('12345678', 90)
    press('Enter', 1_100)
    type('12345678', 90)
    wait(300)
    touch()
    press('Enter', 300)
    expect([presses, left]).toEqual([[true, true], []])
  })

  it.each(['ab-12345', '31555510 000017', '?B-12345'])(
    'leaves a slow text whose signs may have acted: %s',
    (text) => {
      const learnt: CodeShape[] = []
      for (const code of ['ab-12345', 'cd-12345', '?B-12345', '?C-12345']) learnCode(learnt, code, 'copy')
      const { scans, presses } = played(`${text}⏎`, { shapes: codeShapesOf(learnt) }, 110)
      expect([scans, presses]).toEqual([[], [true]])
    },
  )

  it('takes off the prefix of a slow scanner, and a fast scan with a prefix of figures', () => {
    const keep = { shapes: libraryShapes }
    expect(played('~31555510000017⏎', { ...keep, prefix: '~' }, 110).scans).toEqual(['31555510000017'])
    expect(played('9912345678⏎', { prefix: '99' }).scans).toEqual(['12345678'])
  })

  it('leaves a text that a program typed where people write, and takes a code that is surely one', () => {
    const { type, wait, scans } = typing({ shapes: libraryShapes, isWriting: true })
    type('0612345678')
    wait(5_000)
    type('31555510000017')
    wait(5_000)
    expect(scans).toEqual(['31555510000017'])
  })

  it('leaves a typist alone whose fingers roll over every third key', () => {
    const letters = array(constantFrom('a', 'e', 'n', 's'), { minLength: 1, maxLength: 30 })
    assert(
      property(
        letters,
        array(integer({ min: 70, max: 400 }), { minLength: 30, maxLength: 30 }),
        (keys, gaps) => {
          const { press, kinds } = typing({ shapes: libraryShapes })
          keys.forEach((key, at) => press(key, at % 3 === 2 ? 25 : (gaps[at] ?? 100)))
          press('Enter', 80)
          return kinds.every((kind) => kind === 'pass')
        },
      ),
    )
  })

  it('makes of a scan that pauses its code or nothing, and never a part of it', () => {
    const code = constantFrom('31555510000017', 'BIB-000007', '9782070360024', 'X00Y11Z22')
    const pauses = array(
      record({ after: integer({ min: 1, max: 12 }), ms: integer({ min: 101, max: 999 }) }),
      {
        maxLength: 4,
      },
    )
    assert(
      property(
        code,
        pauses,
        integer({ min: 1, max: 500 }),
        integer({ min: 1, max: 25 }),
        (text, stops, late, gap) => {
          for (const shapes of [codeShapesOf([]), libraryShapes]) {
            const { press, wait, scans } = typing({ shapes })
            for (const [at, key] of Array.from(text).entries()) {
              // A letter alone may be the end of a name that a person types.
              const stop = stops.find(({ after }) => after === at && (at > 1 || /^\d/.test(text)))
              press(key, stop && at < text.length - 1 ? stop.ms : gap)
            }
            press('Enter', late)
            wait(5_000)
            const isOne = scans.length <= 1 && (scans[0] === undefined || [text, 'broken'].includes(scans[0]))
            if (!isOne) return false
            const isOneScan = stops.length <= 2 && stops.every(({ after, ms }) => after > 1 && ms < 500)
            if (isOneScan && scans[0] !== text) return false
          }
          return true
        },
      ),
    )
  })

  it('makes of a scan of the library that stands still its code or nothing, and leaves no part of it', () => {
    const code = constantFrom('31555510000017', 'BIB-000007', '9782070360024')
    const pauses = array(
      record({ after: integer({ min: 1, max: 13 }), ms: integer({ min: 1_000, max: 30_000 }) }),
      { minLength: 1, maxLength: 3 },
    )
    assert(
      property(code, pauses, constantFrom('⏎', '~45~⏎', ''), (text, stops, ending) => {
        const keys = Array.from(text, (key, at) => {
          const stop = stops.find(({ after }) => after === at)
          return stop ? `~${stop.ms}~${key}` : key
        })
        const { scans, left } = played(keys.join('') + ending, { shapes: libraryShapes })
        const isSaid = (words: string[]) => words.every((one) => one === 'broken')
        return isSaid(left) && (isSaid(scans) || (scans.length === 1 && scans[0] === text))
      }),
    )
  })

  it('takes no tail whose head was typed while the page reloaded, but a whole code', () => {
    for (const [keys, expected] of [
      ['555510003722', 'broken'],
      [withCheckDigit('3155551000001'), withCheckDigit('3155551000001')],
    ] as const) {
      const { press, type, scans } = typing({ shapes: libraryShapes })
      press(keys[0]!, 8, { follows: true })
      type(keys.slice(1))
      press('Enter')
      expect(scans).toEqual([expected])
    }
  })

  it('takes a slower or shorter burst after the prefix, without it', () => {
    const { type, press, scans } = typing({ prefix: '~' })
    type('~B12', 90)
    press('Enter', 90)
    type('~')
    press('Enter')
    type('~B12', 101)
    press('Enter')
    type('1234567')
    press('Enter')
    expect(scans).toEqual(['B12', '1234567'])
  })

  it('is not misled by a key held down, an input method or a shortcut', () => {
    const { press, type, scans } = typing()
    for (let n = 0; n < 10; n++) press('1', 30, { repeat: n > 0 })
    press('Enter', 30)
    for (const key of '1234567') press(key, 8, { composing: true })
    press('Enter')
    for (const key of '1234567') press(key, 8, { modified: true })
    press('Enter')
    type('123')
    press('Backspace')
    type('456')
    press('Enter')
    expect(scans).toEqual([])
  })

  it('goes on through the modifier keys a scanner presses itself', () => {
    const { press, scans } = typing()
    for (const key of ['Shift', 'B', 'Shift', 'I', 'AltGraph', ']', '0', '1', '2', '3']) press(key, 5)
    press('Enter', 5)
    expect(scans).toEqual(['BI]0123'])
  })

  it.each(['123456', '31555510000017'])(
    'swallows the second ending of a scan, and no later one: %s',
    (code) => {
      const { type, press, kinds } = typing()
      type(code)
      press('Enter')
      press('Enter', 3)
      press('Enter', 101)
      expect(kinds.slice(-3)).toEqual(['scan', 'swallow', 'pass'])
    },
  )

  it.each([
    ['&é"\'(-è_çà', '1234567890'],
    ['&é"\'(§è!çà', '1234567890'],
    ['&é"\'(A', '&é"\'(A'],
  ])('reads %s from a scanner left on QWERTY', (typed, code) => {
    const { type, press, scans } = typing()
    type(typed)
    press('Enter')
    expect(scans).toEqual([code])
  })
})
