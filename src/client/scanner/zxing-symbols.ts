import type { ReaderOptions, ReadInputBarcodeFormat, ReadResult } from 'zxing-wasm/reader'

import type { Symbology } from '../../domain/bar-code.ts'

// Its other kinds read six signs as nine digits of a pharmacy (Code 32), or two as a small letter.
export const linearFormats: ReadInputBarcodeFormat[] = [
  'Code128',
  'Code39Std',
  'Codabar',
  'ITF',
  'EAN13',
  'UPCA',
]
export const matrixFormats: ReadInputBarcodeFormat[] = ['QRCode', 'DataMatrix']

export const readableFormats: ReaderOptions = {
  formats: [...linearFormats, ...matrixFormats],
  // The default writes GS1 with brackets.
  textMode: 'Plain',
}

// zxing-cpp answers a UPC-A as an EAN-13 with a leading 0.
export function symbologyOf({ symbology, format }: ReadResult): Symbology | null {
  switch (symbology) {
    case 'Code128':
      return 'code_128'
    case 'Code39':
      return 'code_39'
    case 'Codabar':
      return 'codabar'
    case 'ITF':
      return 'itf'
    case 'QRCode':
      return 'qr_code'
    case 'DataMatrix':
      return 'data_matrix'
    case 'EANUPC':
      return format === 'UPCA' ? 'upc_a' : 'ean_13'
    default:
      return null
  }
}
