package org.parallax.trace.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;

/** Builds a profile of Cube 4: a tar archive of {@code anchor.xml} and an index and data of each metric. */
public final class CubeFile {
  private static final int BLOCK = 512;

  private final StringBuilder regions = new StringBuilder();
  private final StringBuilder metrics = new StringBuilder();
  private final StringBuilder system = new StringBuilder();
  private final List<List<Integer>> children = new ArrayList<>();
  private final List<Integer> roots = new ArrayList<>();
  private final List<Integer> callees = new ArrayList<>();
  private final Map<String, byte[]> members = new LinkedHashMap<>();
  private int regionCount;
  private int groupCount;
  private int locationCount;
  private int metricCount;
  private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
  private boolean isPacked;
  private String openNode = "";

  /** The byte order of the metrics that follow. */
  public CubeFile order(ByteOrder newOrder) {
    order = newOrder;
    return this;
  }

  /** Whether the metrics that follow are compressed. */
  public CubeFile packed(boolean packed) {
    isPacked = packed;
    return this;
  }

  /** @return the number of the region */
  public int region(String name, String paradigm, String role, String file, int line) {
    regions.append("<region id=\"").append(regionCount).append("\" mod=\"").append(file).append("\" begin=\"").append(line)
        .append("\" end=\"-1\"><name>").append(escaped(name)).append("</name><mangled_name>").append(escaped(name))
        .append("</mangled_name><paradigm>").append(paradigm).append("</paradigm><role>").append(role)
        .append("</role><url></url><descr></descr></region>\n");
    return regionCount++;
  }

  /** @return the number of a node of the call tree; numbers are those of the tree's deep order if nodes are added in it */
  public int node(int parent, int region) {
    int node = callees.size();
    callees.add(region);
    children.add(new ArrayList<>());
    (parent < 0 ? roots : children.get(parent)).add(node);
    return node;
  }

  /** A process on a machine with these threads. */
  public CubeFile process(String host, int rank, String... threads) {
    if (!openNode.equals(host)) {
      closeNode();
      openNode = host;
      system.append("<systemtreenode Id=\"").append(groupCount + 1).append("\"><name>").append(host)
          .append("</name><class>node</class>\n");
    }
    system.append("<locationgroup Id=\"").append(groupCount++).append("\"><name>MPI Rank ").append(rank)
        .append("</name><rank>").append(rank).append("</rank><type>process</type>\n");
    for (int i = 0; i < threads.length; i++) {
      system.append("<location Id=\"").append(locationCount++).append("\"><name>").append(threads[i]).append("</name><rank>")
          .append(i).append("</rank><type>thread</type></location>\n");
    }
    system.append("</locationgroup>\n");
    return this;
  }

  private void closeNode() {
    if (!openNode.isEmpty()) {
      system.append("</systemtreenode>\n");
    }
  }

  /**
   * A metric.
   *
   * @param type EXCLUSIVE or INCLUSIVE
   * @param rows the values of each node of the call tree by location; null for none
   */
  public CubeFile metric(String name, String type, String dataType, String unit, double[][] rows) {
    int id = metricCount++;
    metrics.append("<metric id=\"").append(id).append("\" type=\"").append(type).append("\"><disp_name>").append(name)
        .append("</disp_name><uniq_name>").append(name).append("</uniq_name><dtype>").append(dataType).append("</dtype><uom>")
        .append(unit).append("</uom><url></url><descr></descr></metric>\n");
    List<Integer> nodes = type.equals("INCLUSIVE") ? wide() : deep();
    List<Integer> numbers = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int number = 0; number < nodes.size(); number++) {
      double[] row = rows[nodes.get(number)];
      if (row != null) {
        numbers.add(number);
        values.add(bytes(row, dataType));
      }
    }
    ByteBuffer index = ByteBuffer.allocate(22 + 4 * numbers.size()).order(order).put(ascii("CUBEX.INDEX")).putInt(1)
        .putShort((short) 0).put((byte) 1).putInt(numbers.size());
    numbers.forEach(index::putInt);
    members.put(id + ".index", index.array());
    members.put(id + ".data", isPacked ? packed(values) : raw(values));
    return this;
  }

  private byte[] bytes(double[] row, String dataType) {
    ByteBuffer buffer = ByteBuffer.allocate(36 * row.length).order(order);
    for (double value : row) {
      switch (dataType) {
        case "UINT64", "INT64" -> buffer.putLong((long) value);
        case "UINT32" -> buffer.putInt((int) (long) value);
        case "INT16" -> buffer.putShort((short) value);
        case "UINT8" -> buffer.put((byte) value);
        case "TAU_ATOMIC" -> buffer.putInt(2).putDouble(value / 4).putDouble(3 * value / 4).putDouble(value).putDouble(0);
        default -> buffer.putDouble(value);
      }
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private byte[] raw(List<byte[]> rows) {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    data.writeBytes(ascii("CUBEX.DATA"));
    rows.forEach(data::writeBytes);
    return data.toByteArray();
  }

  private byte[] packed(List<byte[]> rows) {
    ByteArrayOutputStream segments = new ByteArrayOutputStream();
    ByteBuffer headers = ByteBuffer.allocate(8 + 24 * rows.size()).order(order).putLong(rows.size());
    long at = 0;
    for (byte[] row : rows) {
      Deflater deflater = new Deflater();
      deflater.setInput(row);
      deflater.finish();
      byte[] packed = new byte[row.length + 64];
      int size = deflater.deflate(packed);
      deflater.end();
      headers.putLong(at).putLong(segments.size()).putLong(size);
      segments.write(packed, 0, size);
      at += row.length;
    }
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    data.writeBytes(ascii("ZCUBEX.DATA"));
    data.writeBytes(headers.array());
    data.writeBytes(segments.toByteArray());
    return data.toByteArray();
  }

  private List<Integer> deep() {
    List<Integer> all = new ArrayList<>();
    Deque<Integer> next = new ArrayDeque<>(roots);
    while (!next.isEmpty()) {
      int node = next.pop();
      all.add(node);
      List<Integer> below = children.get(node);
      for (int i = below.size() - 1; i >= 0; i--) {
        next.push(below.get(i));
      }
    }
    return all;
  }

  private List<Integer> wide() {
    List<Integer> all = new ArrayList<>();
    for (int root : roots) {
      all.add(root);
      Deque<Integer> next = new ArrayDeque<>(List.of(root));
      while (!next.isEmpty()) {
        List<Integer> below = children.get(next.pop());
        all.addAll(below);
        for (int i = below.size() - 1; i >= 0; i--) {
          next.push(below.get(i));
        }
      }
    }
    return all;
  }

  private String anchor() {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.5\">\n")
        .append("<attr key=\"Creator\" value=\"Score-P 8.0\"/>\n<metrics>\n").append(metrics).append("</metrics>\n<program>\n")
        .append(regions);
    Deque<Integer> next = new ArrayDeque<>(roots);
    while (!next.isEmpty()) {
      int node = next.pop();
      if (node < 0) {
        text.append("</cnode>\n");
        continue;
      }
      text.append("<cnode id=\"").append(node).append("\" calleeId=\"").append(callees.get(node)).append("\">\n");
      next.push(-1);
      List<Integer> below = children.get(node);
      for (int i = below.size() - 1; i >= 0; i--) {
        next.push(below.get(i));
      }
    }
    closeNode();
    openNode = "";
    return text.append("</program>\n<system>\n<systemtreenode Id=\"0\"><name>cluster</name><class>machine</class>\n")
        .append(system).append("</systemtreenode>\n</system>\n</cube>\n").toString();
  }

  /** A member besides those of the metrics, or in place of one. */
  public CubeFile member(String name, byte[] content) {
    members.put(name, content);
    return this;
  }

  /** @return the content of a member of a metric */
  public byte[] member(String name) {
    return members.get(name);
  }

  /** Writes the archive. */
  public Path write(Path path) {
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    Map<String, byte[]> all = new LinkedHashMap<>();
    all.put("anchor.xml", anchor().getBytes(StandardCharsets.UTF_8));
    all.putAll(members);
    all.forEach((name, content) -> {
      byte[] header = new byte[BLOCK];
      put(header, 0, name);
      put(header, 100, "0000600\0");
      put(header, 124, String.format("%011o", content.length) + "\0");
      put(header, 136, "00000000000\0");
      put(header, 148, "        ");
      header[156] = '0';
      put(header, 257, "ustar\00000");
      int sum = 0;
      for (byte each : header) {
        sum += each & 0xff;
      }
      put(header, 148, String.format("%06o", sum) + "\0 ");
      tar.writeBytes(header);
      tar.writeBytes(content);
      tar.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    });
    tar.writeBytes(new byte[2 * BLOCK]);
    try {
      return Files.write(path, tar.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = ascii(text);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
