import { readFile } from 'node:fs/promises'

import { expect, it } from 'vitest'

import { queueExtension, queueType } from '../../src/contract/queue-file.ts'
import { offeredAt, offeredField } from '../../src/offline/offered-files.ts'

it('the manifest names the file of the queue to the system as the application writes and receives it', async () => {
  const manifest = JSON.parse(await readFile('public/manifest.webmanifest', 'utf8')) as Record<
    string,
    unknown
  >
  expect(manifest['file_handlers']).toEqual([
    // No other JSON opens with the Comptoir.
    { action: offeredAt, accept: { [queueType]: [queueExtension] } },
  ])
  expect(manifest['share_target']).toMatchObject({
    action: offeredAt,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      files: [{ name: offeredField, accept: expect.arrayContaining([queueExtension, queueType, '.json']) }],
    },
  })
})
