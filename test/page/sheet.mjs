import { launchBrowser } from '../host/browser.mjs';

/**
 * Puts pictures side by side into one, each under its title.
 * @param {{ title: string, picture: Buffer }[]} pictures PNGs.
 * @param {string} file
 */
export async function sheetOf(pictures, file) {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1800, height: 1000 } });
    await page.setContent('<body style="margin:0;display:grid;grid-template-columns:repeat(3,600px)"></body>');
    for (const { title, picture } of pictures) {
      await page.evaluate(
        async ([text, source]) => {
          const figure = document.createElement('figure');
          figure.style.margin = '4px';
          const caption = document.createElement('figcaption');
          caption.textContent = text;
          const image = document.createElement('img');
          image.style.width = '590px';
          image.src = source;
          figure.append(caption, image);
          document.body.append(figure);
          await image.decode();
        },
        [title, `data:image/png;base64,${picture.toString('base64')}`],
      );
    }
    await page.screenshot({ path: file, fullPage: true });
  } finally {
    await browser.close();
  }
}
