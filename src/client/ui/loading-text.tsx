import { VisuallyHidden } from '@mantine/core'

/** Said while something is drawn in outline only (file 2, « Shared interface helpers »). */
export function LoadingText() {
  return <VisuallyHidden role="status">Chargement en cours...</VisuallyHidden>
}
