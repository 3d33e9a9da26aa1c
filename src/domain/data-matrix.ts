/** Data and check codewords of the square symbols of one region, by their side in modules (ISO/IEC 16022, table 7). */
const sizes = [
  [10, 3, 5],
  [12, 5, 7],
  [14, 8, 10],
  [16, 12, 12],
  [18, 18, 14],
  [20, 22, 18],
  [22, 30, 20],
  [24, 36, 24],
  [26, 44, 28],
] as const

const pad = 129
const firstPair = 130

/**
 * The rows of a Data Matrix ECC 200 without its white margin, true where a module is dark: the smallest square that holds the text.
 * Null for signs beside ASCII's printable ones, and for more than 44 codewords: two digits or another sign take one.
 */
export function dataMatrix(text: string): boolean[][] | null {
  if (!/^[\u0020-\u007e]+$/.test(text)) return null
  const data = codewordsOf(text)
  const size = sizes.find(([, room]) => room >= data.length)
  if (!size) return null
  const [side, room, checks] = size
  const padded = withPads(data, room)
  return framed(placed([...padded, ...checksOf(padded, checks)], side - 2))
}

function codewordsOf(text: string): number[] {
  return Array.from(text.matchAll(/\d\d|./g), ([part]) =>
    part.length === 2 ? firstPair + Number(part) : part.charCodeAt(0) + 1,
  )
}

/** Pads differ from place to place, so that they draw no pattern. */
function withPads(data: readonly number[], room: number): number[] {
  const padded = [...data]
  if (padded.length < room) padded.push(pad)
  while (padded.length < room) {
    const value = pad + 1 + ((149 * (padded.length + 1)) % 253)
    padded.push(value > 254 ? value - 254 : value)
  }
  return padded
}

/** The field of 256 elements whose modulus is x⁸ + x⁵ + x³ + x² + 1. */
const modulus = 301
const powers: number[] = []
for (let value = 1; powers.length < 255; value = value * 2 < 256 ? value * 2 : (value * 2) ^ modulus)
  powers.push(value)
const logarithms = new Map(powers.map((value, power) => [value, power]))

function product(one: number, other: number): number {
  const [a, b] = [logarithms.get(one), logarithms.get(other)]
  return a === undefined || b === undefined ? 0 : (powers[(a + b) % 255] ?? 0)
}

/** Reed-Solomon: what is left of the data divided by the polynomial whose roots are 2, 4, 8 and on. */
function checksOf(data: readonly number[], count: number): number[] {
  let generator = [1]
  for (let root = 1; root <= count; root += 1) {
    const times = powers[root] ?? 0
    generator = [...generator, 0].map((value, at) => value ^ product(generator[at - 1] ?? 0, times))
  }
  const left = Array<number>(count).fill(0)
  for (const value of data) {
    const factor = value ^ (left.shift() ?? 0)
    left.push(0)
    for (const [at, other] of generator.slice(1).entries())
      left[at] = (left[at] ?? 0) ^ product(factor, other)
  }
  return left
}

type Places = readonly { row: number; column: number }[]

const placesOf = (written: string): Places =>
  written.split(' ').map((one) => {
    const [row = 0, column = 0] = one.split(',').map(Number)
    return { row, column }
  })

/** Rows and columns of a codeword's bits, the highest bit first, from where its last one stands. */
const usual = placesOf('-2,-2 -2,-1 -1,-2 -1,-1 -1,0 0,-2 0,-1 0,0')

/** The same of those that are bent round a corner; what is below zero is counted from the other edge (annex F.3). */
const corners = [
  placesOf('-1,0 -1,1 -1,2 0,-2 0,-1 1,-1 2,-1 3,-1'),
  placesOf('-3,0 -2,0 -1,0 0,-4 0,-3 0,-2 0,-1 1,-1'),
  placesOf('-3,0 -2,0 -1,0 0,-2 0,-1 1,-1 2,-1 3,-1'),
  placesOf('-1,0 -1,-1 0,-3 0,-2 0,-1 1,-3 1,-2 1,-1'),
] as const

/** Codewords bit by bit in a square, along its diagonals up and down in turn. */
function placed(codewords: readonly number[], side: number): boolean[][] {
  const square = Array.from({ length: side }, () => Array<boolean | null>(side).fill(null))
  let next = 0
  const put = (places: Places) => {
    const codeword = codewords[next++] ?? 0
    for (const [bit, { row, column }] of places.entries()) {
      const line = square[row]
      if (line) line[column] = ((codeword >> (7 - bit)) & 1) === 1
    }
  }
  const putCorner = (places: Places) =>
    put(
      places.map(({ row, column }) => ({
        row: row < 0 ? row + side : row,
        column: column < 0 ? column + side : column,
      })),
    )
  /** What leaves at one edge comes in at the other, some modules further. */
  const shift = 4 - ((side + 4) % 8)
  const around = (row: number, column: number) => {
    const [r, c] = row < 0 ? [row + side, column + shift] : [row, column]
    return c < 0 ? { row: r + shift, column: c + side } : { row: r, column: c }
  }
  const putUsual = (row: number, column: number) => {
    if (square[row]?.[column] === null) put(usual.map((from) => around(row + from.row, column + from.column)))
  }

  let [row, column] = [4, 0]
  do {
    if (row === side && column === 0) putCorner(corners[0])
    if (row === side - 2 && column === 0 && side % 4 !== 0) putCorner(corners[1])
    if (row === side - 2 && column === 0 && side % 8 === 4) putCorner(corners[2])
    if (row === side + 4 && column === 2 && side % 8 === 0) putCorner(corners[3])
    for (; row >= 0 && column < side; row -= 2, column += 2) putUsual(row, column)
    row += 1
    column += 3
    for (; row < side && column >= 0; row += 2, column -= 2) putUsual(row, column)
    row += 3
    column += 1
  } while (row < side || column < side)
  // Where no codeword reaches the last corner, two of its four modules are dark.
  return square.map((line, r) => line.map((isDark, c) => isDark ?? r === c))
}

/** Dark at the left and below; dark and white in turn above and at the right. */
function framed(square: readonly (readonly boolean[])[]): boolean[][] {
  const side = square.length + 2
  return Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (__, column) => {
      if (column === 0 || row === side - 1) return true
      if (row === 0) return column % 2 === 0
      if (column === side - 1) return row % 2 === 1
      return square[row - 1]?.[column - 1] ?? false
    }),
  )
}
