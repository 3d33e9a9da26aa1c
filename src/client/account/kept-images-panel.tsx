import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'

import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

import { byteSize } from '../../domain/byte-size.ts'
import { dropKeptImages } from '../../offline/drop-kept-images.ts'
import { imageBudgets, imageUse, type ImageUse, setImageBudget } from '../../offline/kept-images.ts'
import { say, sayError } from '../page/messages.ts'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { counted } from '../ui/words.ts'

/** Browsers keep images only for pages served over HTTPS. */
export const canKeepImages = (): boolean => 'caches' in globalThis

const choices = imageBudgets.map((budget) => ({
  value: String(budget),
  label: budget === 0 ? 'Aucune' : `${budget} Mo`,
}))

/** How much of this device images may take, what they take, and a way to take it back. */
export function KeptImagesPanel() {
  const [use, setUse] = useState<ImageUse | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  useEffect(() => {
    imageUse().then(setUse, () => setUnreadable(true))
  }, [])
  if (isUnreadable) return <Text>La mémoire de cet appareil ne peut pas être lue.</Text>
  if (!use) return <LoadingBlock h="9rem" />
  const change = async (work: () => Promise<unknown>, said?: string) => {
    try {
      await work()
      setUse(await imageUse())
      if (said !== undefined) say(said)
    } catch (error) {
      sayError(error)
    }
  }
  return (
    <Stack gap="md">
      <Text>
        Les images déjà vues restent visibles sans réseau, dans cette limite. Les plus anciennes partent
        d’abord, et toutes à la déconnexion.
      </Text>
      <SegmentedControl
        aria-label="Images gardées hors ligne"
        size="md"
        fullWidth
        data={choices}
        value={String(use.budget)}
        onChange={(value) => {
          const budget = imageBudgets.find((one) => String(one) === value)
          if (budget !== undefined) void change(() => setImageBudget(budget))
        }}
      />
      <Group justify="space-between">
        <Text role="status">
          {use.count === 0
            ? 'Aucune image gardée.'
            : `${counted(use.count, 'image gardée', 'images gardées')}, ${byteSize(use.bytes)}.`}
        </Text>
        <Button
          variant="default"
          leftSection={<IconTrash size="1.2em" aria-hidden />}
          disabled={use.count === 0}
          onClick={() => void change(dropKeptImages, 'Images effacées de cet appareil.')}
        >
          Vider
        </Button>
      </Group>
    </Stack>
  )
}
