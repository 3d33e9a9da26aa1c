import { Button, Group, NativeSelect, Text } from '@mantine/core'

import { useIsDesktop, useIsPhone } from '../screen-width.ts'
import { type ListAddress, pageSizes } from './use-list-address.ts'
import { counted } from '../words.ts'

const unseen = { position: 'absolute', clipPath: 'inset(50%)', whiteSpace: 'nowrap' } as const

type PagerProps = {
  address: Pick<ListAddress, 'list' | 'setPage' | 'setLimit'>
  total: number | undefined
  one: string
  many: string
  none?: string
  of?: string
}

/** Page sizes, Début, Précédent, Suivant, Fin and the count. */
export function Pager({ address, total, one, many, none = 'Aucun résultat', of = many }: PagerProps) {
  const { page, limit } = address.list
  const isPhone = useIsPhone()
  const isDesktop = useIsDesktop()
  const last = Math.max(1, Math.ceil((total ?? 0) / limit))
  // Of one page there is nothing to turn, and of fewer rows than the shortest page nothing to choose.
  const isOnePage = last === 1 && page === 1
  const isShort = (total ?? 0) <= pageSizes[0]
  const sizes = [...new Set([...pageSizes, limit])].sort((a, b) => a - b)
  const go = (label: string, to: number, disabled: boolean) => (
    <Button
      variant="default"
      size="sm"
      px={isPhone ? 4 : 'sm'}
      mih="2.75rem"
      {...(isPhone ? { flex: 'auto' } : {})}
      disabled={disabled}
      onClick={() => address.setPage(to)}
    >
      {label}
    </Button>
  )
  return (
    <Group
      justify="space-between"
      gap="sm"
      component="nav"
      aria-label={`Pages\u202f: ${of}`}
      // Hidden until the rows that push it down are there.
      style={{ visibility: total === undefined ? 'hidden' : undefined }}
    >
      {/* Over it the list says to the eye that there is nothing; said twice, it would be read as two things. */}
      <Text c="dimmed" size="sm" role="status" style={total === 0 ? unseen : undefined}>
        {total === undefined ? ' ' : counted(total, one, many, none)}
      </Text>
      <Group
        gap="xs"
        display={isOnePage ? 'none' : undefined}
        // Below a desktop they have lines of their own, under the count and the size.
        {...(isDesktop ? { ms: 'auto' } : { w: '100%', style: { order: 1 } })}
      >
        {go('Début', 1, page <= 1)}
        {go('Précédent', page - 1, page <= 1)}
        {isPhone ? (
          <Text size="sm" component="span" px={4}>
            {page} / {last}
          </Text>
        ) : (
          pagesAround(page, last).map((one) => (
            <Button
              key={one}
              variant={one === page ? 'filled' : 'default'}
              size="sm"
              px={6}
              miw="2.75rem"
              mih="2.75rem"
              aria-label={`Page ${one}`}
              {...(one === page ? { 'aria-current': 'page' } : {})}
              onClick={() => address.setPage(one)}
            >
              {one}
            </Button>
          ))
        )}
        {go('Suivant', page + 1, page >= last)}
        {go('Fin', last, page >= last)}
      </Group>
      <NativeSelect
        aria-label="Lignes par page"
        size="sm"
        display={isShort ? 'none' : undefined}
        {...(isDesktop ? {} : { ms: 'auto' })}
        data={sizes.map((size) => ({ value: String(size), label: `${size} par page` }))}
        value={String(limit)}
        onChange={(event) => address.setLimit(Number(event.currentTarget.value))}
        styles={{ input: { minHeight: '2.75rem' } }}
      />
    </Group>
  )
}

const widest = 10

function pagesAround(page: number, last: number): number[] {
  const first = Math.max(1, Math.min(page - widest / 2, last - widest + 1))
  return Array.from({ length: Math.min(widest, last) }, (_, index) => first + index)
}
