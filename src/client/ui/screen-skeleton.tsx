import { Skeleton, Stack } from '@mantine/core'

import { LoadingText } from './loading-text.tsx'

export function ScreenSkeleton() {
  return (
    <Stack gap="var(--page-gap)">
      <LoadingText />
      <Skeleton height="2rem" width="40%" />
      <Skeleton height="8rem" radius="lg" />
      <Skeleton height="16rem" radius="lg" />
    </Stack>
  )
}
