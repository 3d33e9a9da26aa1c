import { Page } from './page.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import { ErrorState, type UnreadProps } from './states.tsx'

/** A screen of what is not read yet: its outline, or why it could not be read. */
export function UnreadScreen({ title, ...unread }: UnreadProps & { title: string }) {
  if (!unread.error) return <ScreenSkeleton />
  return (
    <Page title={title}>
      <ErrorState {...unread} />
    </Page>
  )
}
