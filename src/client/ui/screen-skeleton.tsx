import { Skeleton, Stack } from '@mantine/core'

/** A screen on its way. */
export function ScreenSkeleton() {
  return (
    <Stack gap="var(--page-gap)" role="status" aria-label="Chargement en cours...">
      <Skeleton height="2rem" width="40%" />
      <Skeleton height="8rem" radius="lg" />
      <Skeleton height="16rem" radius="lg" />
    </Stack>
  )
}
