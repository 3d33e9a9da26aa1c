import { Button, Text } from '@mantine/core'

type PageTurnerProps = {
  page: number
  limit: number
  total: number
  /** How many there are in all. */
  words: string
  isFetching: boolean
  onTurn: (page: number) => void
}

/** Turns the pages of a part of a screen, where they are not in the address; nothing where one holds all. */
export function PageTurner({ page, limit, total, words, isFetching, onTurn }: PageTurnerProps) {
  const last = Math.max(1, Math.ceil(total / limit))
  if (last === 1) return null
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {words}, page {page} sur {last}
      </Text>
      <Button.Group>
        <Button variant="default" disabled={page <= 1} onClick={() => onTurn(page - 1)}>
          Précédents
        </Button>
        <Button
          variant="default"
          disabled={page >= last}
          loading={isFetching}
          onClick={() => onTurn(page + 1)}
        >
          Suivants
        </Button>
      </Button.Group>
    </>
  )
}
