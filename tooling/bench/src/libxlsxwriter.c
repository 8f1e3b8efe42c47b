/*
 * The same workbook with libxlsxwriter, in constant memory and at its level of deflate, 6. Reads the rows that the bench has dumped, the number
 * of columns and then a cell a line, before the clock starts. Prints what writing them cost as one line of JSON. Arguments: the dump, the workbook.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <xlsxwriter.h>

static double millis(struct timeval time) { return time.tv_sec * 1e3 + time.tv_usec / 1e3; }

static double cpu_millis(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return millis(usage.ru_utime) + millis(usage.ru_stime);
}

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  if (text == NULL || fread(text, 1, size, file) != (size_t)size) return NULL;
  text[size] = '\0';
  fclose(file);
  return text;
}

static char *next_line(char **rest) {
  char *line = *rest;
  char *end = strchr(line, '\n');
  if (end == NULL) return NULL;
  *end = '\0';
  *rest = end + 1;
  return line;
}

static int digits(const char *text, int count) {
  int number = 0;
  for (int at = 0; at < count; at++) number = number * 10 + text[at] - '0';
  return number;
}

static lxw_datetime moment(const char *text) {
  lxw_datetime value = {digits(text, 4),      digits(text + 5, 2),  digits(text + 8, 2),
                        digits(text + 11, 2), digits(text + 14, 2), (double)digits(text + 17, 2)};
  return value;
}

/* A line break inside a text stands as a unit separator in the dump. */
static void restore(char *text) {
  for (char *at = strchr(text, '\x1f'); at != NULL; at = strchr(at, '\x1f')) *at = '\n';
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  char *rest = read_all(arguments[1]);
  if (rest == NULL) return 2;
  int columns = atoi(next_line(&rest));

  double before = cpu_millis();
  lxw_workbook_options options = {.constant_memory = LXW_TRUE};
  lxw_workbook *workbook = workbook_new_opt(arguments[2], &options);
  lxw_worksheet *sheet = workbook_add_worksheet(workbook, "Contracts");
  lxw_format *heading = workbook_add_format(workbook);
  lxw_format *date = workbook_add_format(workbook);
  lxw_format *integer = workbook_add_format(workbook);
  format_set_bold(heading);
  format_set_font_color(heading, LXW_COLOR_WHITE);
  format_set_bg_color(heading, 0x1F4E5F);
  format_set_num_format(date, "yyyy-mm-dd hh:mm:ss");
  format_set_num_format(integer, "0");
  worksheet_freeze_panes(sheet, 1, 0);
  worksheet_set_column(sheet, 0, columns - 1, 18, NULL);

  long row = 0;
  for (int is_whole = 1; is_whole;) {
    for (int column = 0; column < columns; column++) {
      char *cell = next_line(&rest);
      if (cell == NULL) {
        is_whole = 0;
        break;
      }
      char *value = cell + 1;
      switch (cell[0]) {
        case 'h':
          worksheet_write_string(sheet, row, column, value, heading);
          break;
        case 's':
          restore(value);
          worksheet_write_string(sheet, row, column, value, NULL);
          break;
        case 'n':
          worksheet_write_number(sheet, row, column, atof(value), integer);
          break;
        case 'd': {
          lxw_datetime time = moment(value);
          worksheet_write_datetime(sheet, row, column, &time, date);
          break;
        }
      }
    }
    if (is_whole) row++;
  }
  worksheet_autofilter(sheet, 0, 0, row - 1, columns - 1);
  if (workbook_close(workbook) != LXW_NO_ERROR) return 1;
  double spent = cpu_millis() - before;
  printf("{\"records\":%ld,\"cpuMillis\":%.3f,\"wallMillis\":0,\"peakRssMegabytes\":0}\n", row - 1, spent);
  return 0;
}
