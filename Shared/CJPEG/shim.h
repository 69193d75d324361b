#pragma once
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

// libjpeg ends the process at an error unless it is left by a jump, which only C can do. So one call does all of it.

struct cjpeg_errors {
  struct jpeg_error_mgr base;
  jmp_buf leave;
};

static inline void cjpeg_error(j_common_ptr image) { longjmp(((struct cjpeg_errors *)image->err)->leave, 1); }
static inline void cjpeg_silence(j_common_ptr image, int level) { (void)image, (void)level; }

enum { CJPEG_OK = 0, CJPEG_DAMAGED = 1, CJPEG_TOO_LARGE = 2, CJPEG_INKS = 3 };

// The picture in grey, made smaller by whole halves until it has at most `wanted` squares. `*grey` is for the caller to
// free; each of its squares stands for `*scale` of the picture's on a side. A picture of more than `most` squares is not
// begun; a progressive one is read once for each of its scans, so more than `scans` are taken for damage.
static inline int cjpeg_grey(const unsigned char *bytes, unsigned long count, long most, long wanted, int scans,
                             unsigned char **grey, int *width, int *height, int *scale) {
  struct jpeg_decompress_struct image;
  struct cjpeg_errors errors;
  unsigned char *volatile output = NULL;
  volatile int result = CJPEG_DAMAGED;
  image.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = cjpeg_error;
  errors.base.emit_message = cjpeg_silence;
  if (setjmp(errors.leave)) goto done;
  jpeg_create_decompress(&image);
  jpeg_mem_src(&image, bytes, count);
  jpeg_read_header(&image, TRUE);
  if ((long)image.image_width * (long)image.image_height > most) {
    result = CJPEG_TOO_LARGE;
    goto done;
  }
  // libjpeg makes no grey of the four inks of a printer.
  if (image.num_components == 4) {
    result = CJPEG_INKS;
    goto done;
  }
  image.out_color_space = JCS_GRAYSCALE;
  image.scale_num = 1;
  for (image.scale_denom = 1; image.scale_denom < 8; image.scale_denom *= 2) {
    jpeg_calc_output_dimensions(&image);
    if ((long)image.output_width * (long)image.output_height <= wanted) break;
  }
  if (jpeg_has_multiple_scans(&image)) {
    image.buffered_image = TRUE;
    jpeg_start_decompress(&image);
    while (!jpeg_input_complete(&image)) {
      int state = jpeg_consume_input(&image);
      if (state == JPEG_SUSPENDED || image.input_scan_number > scans) goto done;
    }
    jpeg_start_output(&image, image.input_scan_number);
  } else {
    jpeg_start_decompress(&image);
  }
  output = malloc((size_t)image.output_width * image.output_height);
  if (output == NULL) goto done;
  while (image.output_scanline < image.output_height) {
    JSAMPROW row = output + (size_t)image.output_scanline * image.output_width;
    if (jpeg_read_scanlines(&image, &row, 1) != 1) goto done;
  }
  *width = (int)image.output_width;
  *height = (int)image.output_height;
  *scale = (int)image.scale_denom;
  *grey = output;
  output = NULL;
  result = CJPEG_OK;
done:
  free(output);
  jpeg_destroy_decompress(&image);
  return result;
}
