import { extensionOf, type ImageSize } from '../../domain/upload-rules.ts'

/** In pixels; null where the browser cannot read it. */
export async function sizeOfImage(file: Blob): Promise<ImageSize | null> {
  const image = await createImageBitmap(file).catch(() => null)
  if (!image) return null
  const { width, height } = image
  image.close()
  return { width, height }
}

/** The server does not read BMP, so the browser converts it. */
export async function withoutBmp(file: File): Promise<File> {
  if (extensionOf(file.name) !== 'bmp') return file
  const image = await createImageBitmap(file)
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const png = await canvas.convertToBlob({ type: 'image/png' })
  return new File([png], file.name.replace(/bmp$/i, 'png'), { type: 'image/png' })
}
