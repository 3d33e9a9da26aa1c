import { Text } from '@mantine/core'

import { nameAndNumber } from '../../domain/person-names.ts'

export function ReaderName({ name }: { name: string }) {
  const [own, number] = nameAndNumber(name)
  if (number === null) return own
  return (
    <>
      {own}{' '}
      <Text span inherit c="dimmed" className="reader-number">
        {number}
      </Text>
    </>
  )
}
