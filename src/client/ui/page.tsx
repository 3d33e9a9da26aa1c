import { Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

/** A screen: its title (also the document's), its actions, its content. */
export function Page({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Comptoir`
  }, [title])
  return (
    <Stack gap="var(--page-gap)">
      <Group justify="space-between" wrap="wrap" gap="sm">
        <Title order={1} size="h2">
          {title}
        </Title>
        {actions ? <Group gap="sm">{actions}</Group> : null}
      </Group>
      {children}
    </Stack>
  )
}
