import { benchScanner } from './scanner-bench.ts'

await benchScanner()
