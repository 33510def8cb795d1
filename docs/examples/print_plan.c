/* Walks a plan as a runtime of your own would: one allocation, then step after step the address of
 * every buffer that is live. The header is what `opass optimize --emit c-header=FILE` writes.
 *
 *   cc -std=c99 -Wall -Wextra -Wpedantic print_plan.c -o print_plan && ./print_plan
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "l6_relu_pool.h"

/* An address that is a multiple of the plan's alignment, in a block with room to spare. */
static unsigned char* Align(void* block) {
  const uintptr_t mask = L6_RELU_POOL_ALIGNMENT - 1;
  return (unsigned char*)(((uintptr_t)block + mask) & ~mask);
}

int main(void) {
  /* On a device without malloc: a static array of ARENA_BYTES, aligned by the compiler. */
  void* block = malloc((size_t)L6_RELU_POOL_ARENA_BYTES + L6_RELU_POOL_ALIGNMENT);
  if (block == NULL) return 1;
  unsigned char* arena = Align(block);

  /* The caller writes the graph's input here before the first step. */
  const struct l6_relu_pool_buffer* x = &l6_relu_pool_buffers[L6_RELU_POOL_BUFFER_x];
  printf("arena of %lld bytes, input '%s' at +%lld\n", (long long)L6_RELU_POOL_ARENA_BYTES, x->name,
         (long long)x->offset);

  for (int step = 0; step < L6_RELU_POOL_NUM_STEPS; ++step) {
    printf("step %d: %s\n", step, l6_relu_pool_order[step]);
    for (int i = 0; i < L6_RELU_POOL_NUM_BUFFERS; ++i) {
      const struct l6_relu_pool_buffer* buffer = &l6_relu_pool_buffers[i];
      if (step < buffer->first || step >= buffer->last) continue;
      unsigned char* address = arena + buffer->offset;
      if (buffer->size > 0 && address + buffer->size > arena + L6_RELU_POOL_ARENA_BYTES) return 1;
      printf("  %-20s %7lld bytes at arena + %lld%s\n", buffer->name, (long long)buffer->size,
             (long long)(address - arena), buffer->first == step ? "  (written now)" : "");
    }
  }
  free(block);
  return 0;
}
