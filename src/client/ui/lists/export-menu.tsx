import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Fragment } from 'react'

import { fileTypes } from '../../../contract/file-types.ts'
import type { ListQuery } from '../../../contract/list.ts'
import { type Export, type ExportQuery, useExport } from '../../api/queries.ts'
import { sayError } from '../../page/messages.ts'
import { saveFile } from '../save-file.ts'

type Exported = Pick<ListQuery, 'filters' | 'order'>

type ExportMenuProps = {
  endpoint: Export
  list: Exported
  /** The rows in sight, where the list goes on beyond them. */
  page?: Exported | undefined
  /** Keys of the columns that the person sees, in their order. */
  columns: readonly string[]
}

export function ExportMenu({ endpoint, list, page, columns }: ExportMenuProps) {
  const { mutateAsync, isPending } = useExport(endpoint)
  const make = ({ filters, order }: Exported, query: ExportQuery) =>
    void mutateAsync({ list: { filters, order }, query }).then(saveFile, (error: unknown) =>
      sayError(error, 'Le fichier n’a pas pu être fait.'),
    )
  const shown = { columns: columns.join(',') }
  const offers = [
    { of: '', list, query: shown },
    ...(page ? [{ of: 'Cette page\u202f: ', list: page, query: shown }] : []),
    { of: 'Toutes les colonnes\u202f: ', list, query: {} },
  ]
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size="1.2em" aria-hidden />} loading={isPending}>
          Exporter
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {offers.map(({ of, list: rows, query }, at) => (
          <Fragment key={of}>
            {at > 0 ? <Menu.Divider /> : null}
            {endpoint.files.map((type) => (
              <Menu.Item key={type} onClick={() => make(rows, { ...query, export_type: type })}>
                {`${of}${fileTypes[type].label}`}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
