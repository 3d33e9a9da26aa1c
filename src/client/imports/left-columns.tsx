import { Text } from '@mantine/core'

import type { Import } from '../../contract/imports.ts'
import { leftColumnsWords } from '../../domain/left-columns.ts'

/** Names the columns of the file that are not taken. */
export function LeftColumns({ of: { opened, mapping } }: { of: Import }) {
  const words = leftColumnsWords(opened.columns, mapping)
  return words === null ? null : <Text>{words}</Text>
}
