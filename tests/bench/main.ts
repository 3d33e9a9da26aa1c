// npm run bench [-- section …] prints markdown tables; BENCH_SCALE=full for docs/measurements.md.
import { availableParallelism } from 'node:os'

import { deviceSection } from './device-bench.ts'
import { eventsSection } from './events-section.ts'
import { scannerSection } from './scanner-bench.ts'
import { handsSection } from './hands-section.ts'
import { labelsSection } from './labels-section.ts'
import { devicesSection } from './scale/devices-section.ts'
import { environmentsSection } from './scale/environments-section.ts'
import { exportsSection } from './scale/exports-section.ts'
import { growthSection } from './scale/growth-section.ts'
import { importsSection } from './scale/imports-section.ts'
import { inventorySection } from './scale/inventory-section.ts'
import { readsSection } from './scale/reads-section.ts'
import { recordsSection } from './scale/records-section.ts'
import { scaleSection } from './scale/scale-section.ts'
import { spreadSection } from './scale/spread-section.ts'
import { statsSection } from './scale/stats-section.ts'
import { scanToLineSection } from './scan-to-line-section.ts'
import { shelfSection } from './shelf-bench.ts'
import { paintSection, shiftsSection } from './screens-section.ts'
import { benchScale, markdownOf, type Section } from './section.ts'

const sections: readonly Section[] = [
  scaleSection,
  devicesSection,
  readsSection,
  recordsSection,
  statsSection,
  growthSection,
  importsSection,
  exportsSection,
  inventorySection,
  environmentsSection,
  spreadSection,
  deviceSection,
  paintSection,
  shiftsSection,
  handsSection,
  scanToLineSection,
  eventsSection,
  labelsSection,
  scannerSection,
  shelfSection,
]

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !sections.some((section) => section.name === name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${sections.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}

console.log(`${availableParallelism()} processors, Node ${process.versions.node}, scale ${benchScale}.\n`)
for (const section of sections) {
  if (asked.length > 0 && !asked.includes(section.name)) continue
  for await (const table of section.run()) console.log(markdownOf(table))
}
