import { symbologies } from '../../domain/bar-code.ts'
import type { Symbology } from '../../domain/bar-code.ts'
import type { Read } from './scan-agreement.ts'
import type { Engine, FrameSource } from './worker-engine.ts'

// https://wicg.github.io/shape-detection-api/#barcode-detection-api, missing from TypeScript's DOM.
interface DetectedBarcode {
  rawValue: string
  format: string
  boundingBox: DOMRectReadOnly
}
interface BarcodeDetectorInstance {
  detect: (source: FrameSource) => Promise<DetectedBarcode[]>
}
interface BarcodeDetectorConstructor {
  new (options: { formats: readonly string[] }): BarcodeDetectorInstance
  getSupportedFormats: () => Promise<string[]>
}

/** The browser's own detector. Rejects unless it knows all our symbologies. */
export async function openNativeEngine(): Promise<Engine> {
  const Detector = (globalThis as { BarcodeDetector?: BarcodeDetectorConstructor }).BarcodeDetector
  const supported = new Set((await Detector?.getSupportedFormats()) ?? [])
  if (Detector === undefined || !symbologies.every((format) => supported.has(format))) {
    throw new Error('no native detector for all our symbologies')
  }
  const detector = new Detector({ formats: symbologies })
  return {
    name: 'native',
    close: () => {},
    read: async (source) => {
      const [width, height] =
        source instanceof HTMLVideoElement
          ? [source.videoWidth, source.videoHeight]
          : [source.width, source.height]
      // A video without a picture throws, which would count as a broken engine.
      if (width === 0 || (source instanceof HTMLVideoElement && source.readyState < 2)) return null
      const found = await detector.detect(source)
      const away = ({ boundingBox: box }: DetectedBarcode): number =>
        Math.hypot(box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2)
      const nearest = found
        .filter(({ format }) => isSymbology(format))
        .reduce<DetectedBarcode | null>((best, one) => (best && away(best) <= away(one) ? best : one), null)
      return nearest && ({ text: nearest.rawValue, symbology: nearest.format } as Read)
    },
  }
}

function isSymbology(format: string): format is Symbology {
  return (symbologies as readonly string[]).includes(format)
}
