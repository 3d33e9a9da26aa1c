/** `label` is the menu's word. */
export const fileTypes = {
  xlsx: {
    label: 'Tableur (xlsx)',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  csv: { label: 'Texte (csv)', mime: 'text/csv; charset=utf-8' },
  pdf: { label: 'Document (pdf)', mime: 'application/pdf' },
  mrc: { label: 'UNIMARC (mrc)', mime: 'application/marc' },
  zip: { label: 'Archive (zip)', mime: 'application/zip' },
  json: { label: 'Données (json)', mime: 'application/json' },
  xml: { label: 'UNIMARC (xml)', mime: 'application/xml; charset=utf-8' },
} as const
export type FileType = keyof typeof fileTypes
