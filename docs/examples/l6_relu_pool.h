/* Memory plan of l6_relu_pool, written by opass. Steps are half-open [first, last). */
#ifndef L6_RELU_POOL_PLAN_H_
#define L6_RELU_POOL_PLAN_H_

#include <stdint.h>

#define L6_RELU_POOL_ARENA_BYTES INT64_C(655488)
#define L6_RELU_POOL_ALIGNMENT 64
#define L6_RELU_POOL_NUM_BUFFERS 8
#define L6_RELU_POOL_NUM_STEPS 7

/* Index of each buffer in l6_relu_pool_buffers. */
#define L6_RELU_POOL_BUFFER_x 0
#define L6_RELU_POOL_BUFFER_conv_0 1
#define L6_RELU_POOL_BUFFER_globalaveragepool_3 2
#define L6_RELU_POOL_BUFFER_sigmoid_4 3
#define L6_RELU_POOL_BUFFER_relu_1 4
#define L6_RELU_POOL_BUFFER_maxpool_2 5
#define L6_RELU_POOL_BUFFER_mul_5 6
#define L6_RELU_POOL_BUFFER_conv_6 7

struct l6_relu_pool_buffer {
  const char* name;
  int64_t offset; /* bytes from the start of the arena */
  int64_t size;   /* bytes */
  int32_t first;  /* step */
  int32_t last;   /* step */
  int32_t alias_of; /* index of the buffer whose bytes it shares (a view of it, or computed in its place); -1: none */
};

static const struct l6_relu_pool_buffer l6_relu_pool_buffers[L6_RELU_POOL_NUM_BUFFERS + 1] = {
    {"x", INT64_C(524288), INT64_C(131072), 0, 1, -1},
    {"conv_0", INT64_C(0), INT64_C(524288), 0, 4, -1},
    {"globalaveragepool_3", INT64_C(655360), INT64_C(128), 1, 3, -1},
    {"sigmoid_4", INT64_C(655360), INT64_C(128), 2, 6, 2},
    {"relu_1", INT64_C(0), INT64_C(524288), 3, 5, 1},
    {"maxpool_2", INT64_C(524288), INT64_C(131072), 4, 6, -1},
    {"mul_5", INT64_C(524288), INT64_C(131072), 5, 7, 5},
    {"conv_6", INT64_C(0), INT64_C(32768), 6, 7, -1},
    {0, 0, 0, 0, 0, -1}};

/* Values that are not in the arena: their memory is yours to provide. */
#define L6_RELU_POOL_NUM_OUTSIDE 0
static const char* const l6_relu_pool_outside[L6_RELU_POOL_NUM_OUTSIDE + 1] = {
    0};

/* Names of the operators, in the order to run them. */
static const char* const l6_relu_pool_order[L6_RELU_POOL_NUM_STEPS + 1] = {
    "node_conv_0",
    "node_globalaveragepool_3",
    "node_sigmoid_4",
    "node_relu_1",
    "node_maxpool_2",
    "node_mul_5",
    "node_conv_6",
    0};

#endif /* L6_RELU_POOL_PLAN_H_ */
