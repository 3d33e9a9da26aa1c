import { inventReaders, type Reader } from '../demonstration/invent-readers.ts'
import { seededRandom } from '../demonstration/random.ts'
import { readWorks, type Work } from '../demonstration/read-works.ts'

export type SamplePlan = { works: (Work & { copies: number })[]; readers: Reader[] }

const titles = [
  ['Livre', 24],
  ['DVD', 8],
  ['CD', 8],
] as const
const readerCount = 20
/** Every third title has a second copy. */
const secondEach = 3

/** Some of the demonstration's works, the most lent of each medium, and some of its invented people. */
export async function planSample(): Promise<SamplePlan> {
  const byDemand = (await readWorks()).toSorted((a, b) => b.lent[1] - a.lent[1])
  const works = titles.flatMap(([medium, count]) => {
    const authors = new Set<string>()
    return byDemand
      .filter(({ medium: { name }, location, reference: { tags, reference_data } }) => {
        const { author } = tags
        const fits = name === medium && location !== 'Kiosque' && author && !reference_data.volume
        if (!fits || authors.has(author)) return false
        authors.add(author)
        return true
      })
      .slice(0, count)
  })
  const persons = inventReaders(seededRandom(47), 0).filter(({ kind }) => kind === 'person')
  return {
    works: works.map((work, at) => ({ ...work, copies: at % secondEach === 0 ? 2 : 1 })),
    readers: persons.slice(0, readerCount),
  }
}
