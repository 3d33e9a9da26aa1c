import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

import { type FileType, fileTypes } from '../../contract/file-types.ts'
import type { ListQuery } from '../../contract/list.ts'
import { type Export, useExport } from '../api/queries.ts'
import { sayError } from '../page/messages.ts'
import { saveFile } from './save-file.ts'

type Exported = Pick<ListQuery, 'filters' | 'order'>

type ExportMenuProps = {
  endpoint: Export
  list: Exported
  /** The rows in sight, where the list goes on beyond them. */
  page?: Exported | undefined
}

export function ExportMenu({ endpoint, list, page }: ExportMenuProps) {
  const { mutateAsync, isPending } = useExport(endpoint)
  const make = ({ filters, order }: Exported, export_type: FileType) =>
    void mutateAsync({ list: { filters, order }, query: { export_type } }).then(saveFile, (error: unknown) =>
      sayError(error, 'Le fichier n’a pas pu être fait.'),
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size="1.2em" aria-hidden />} loading={isPending}>
          Exporter
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {endpoint.files.map((type) => (
          <Menu.Item key={type} onClick={() => make(list, type)}>
            {fileTypes[type].label}
          </Menu.Item>
        ))}
        {page ? (
          <>
            <Menu.Divider />
            {endpoint.files.map((type) => (
              <Menu.Item key={type} onClick={() => make(page, type)}>
                {`Cette page\u202f: ${fileTypes[type].label}`}
              </Menu.Item>
            ))}
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}
