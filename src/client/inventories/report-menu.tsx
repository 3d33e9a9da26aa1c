import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'

import { fileTypes } from '../../contract/file-types.ts'
import { exportInventory } from '../../contract/inventories.ts'
import { call } from '../api/call.ts'
import { sayError } from '../page/messages.ts'
import { saveFile } from '../ui/save-file.ts'

/** What came of an inventory, as a file. */
export function ReportMenu({ id }: { id: number }) {
  const [isPending, setPending] = useState(false)
  const make = async (export_type: (typeof exportInventory.files)[number]) => {
    setPending(true)
    try {
      saveFile(await call(exportInventory, { params: { id }, query: { export_type } }))
    } catch (error) {
      sayError(error, 'Le fichier n’a pas pu être fait.')
    } finally {
      setPending(false)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size="1.2em" aria-hidden />} loading={isPending}>
          Rapport
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {exportInventory.files.map((type) => (
          <Menu.Item key={type} onClick={() => void make(type)}>
            {fileTypes[type].label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
